/* What machines tell everybody, as JSON: the first byte says whether it is an announcement, an end
 * or a worker. What is taken can be shown, has numbers in range, is signed where it speaks for a
 * match, and is the same when it is written and read again. */
#include "base/utf8.h"
#include "fuzz.h"
#include "host/machines/notices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The key of the match that the kept inputs are of, and its id: nobody has the secret one. */
static const char SUBJECT[] = "ensign.open.8ae32acf80ba80afa1ada6da5af1ab6d";
static const uint8_t KEY[SEAL_KEY] = {195, 92, 153, 209, 239, 34,  185, 230, 242, 73, 101,
                                      87,  39, 171, 232, 116, 168, 149, 151, 147, 48, 110,
                                      27,  85, 132, 68,  108, 13,  170, 132, 175, 250};

static void require_text(const char *text) {
    fuzz_require(utf8_is_safe(text, strlen(text)), "it can be shown");
}

static void read_open(const char *text, size_t length) {
    struct notice_open notice;
    if (!notice_open_read(SUBJECT, text, length, &notice)) return;
    require_text(notice.version);
    fuzz_require(notice.protocol > 0, "a protocol");
    if (notice.protocol == MESSAGES_PROTOCOL)
        fuzz_require(!memcmp(notice.key, KEY, sizeof KEY), "only the match itself is believed");
}

static void read_over(const char *text, size_t length) {
    struct notice_over notice;
    if (notice_over_read(text, length, KEY, &notice)) require_text(notice.why);
}

static void read_worker(const char *text, size_t length) {
    struct notice_worker notice, again;
    if (!notice_worker_read(text, length, &notice)) return;
    require_text(notice.worker);
    require_text(notice.version);
    fuzz_require(messages_is_name(notice.worker) && notice.threads >= 1 &&
                     notice.threads <= TOURNAMENT_JOBS_MAX && notice.rate >= 0 &&
                     notice.count <= NOTICE_MATCHES,
                 "numbers of a worker");
    json_t *told = notice_worker_write(&notice);
    char *written = told ? json_dumps(told, JSON_COMPACT) : NULL;
    fuzz_require(written && notice_worker_read(written, strlen(written), &again) &&
                     again.pairs == notice.pairs && again.count == notice.count,
                 "it is the same when it is read again");
    free(written);
    json_decref(told);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    const char *text = (const char *)data + 1;
    if (*data % 3 == 0) read_open(text, size - 1);
    if (*data % 3 == 1) read_over(text, size - 1);
    if (*data % 3 == 2) read_worker(text, size - 1);
    return 0;
}
