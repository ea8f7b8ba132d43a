/* descriptors.c - counts free file descriptors by opening and closing them.
 *
 * A server must not do that while it runs: others would find none. There one is opened, and its
 * number tells. */
#define _GNU_SOURCE /* O_PATH */
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

void descriptors_hold_standard(void) {
    for (int d = STDIN_FILENO; d <= STDERR_FILENO; d++) {
        const int flags = fcntl(d, F_GETFL);
        if (flags >= 0 && (d != STDIN_FILENO || (flags & O_ACCMODE) != O_WRONLY)) continue;
        close(d);
        if (open("/", O_PATH) != d) abort();
    }
}

bool descriptors_reserve(int count, struct fault *fault) {
    struct rlimit limit = {0};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    int *taken = malloc((size_t)count * sizeof *taken), got = 0, why = 0;
    if (!taken) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    while (got < count) {
        taken[got] = got ? fcntl(taken[0], F_DUPFD_CLOEXEC, 0) : open("/", O_RDONLY | O_CLOEXEC);
        if (taken[got] < 0) break;
        got++;
    }
    why = errno;
    for (int i = 0; i < got; i++) close(taken[i]);
    free(taken);
    if (got == count) return true;
    if (why != EMFILE)
        return fault_set(fault, STATUS_SYSTEM, "cannot open files: %s", strerror(why));
    return fault_set(fault, STATUS_SYSTEM,
                     "%d more files must be open at once, but the limit is %ju in all; raise it "
                     "with ulimit -n",
                     count, (uintmax_t)limit.rlim_cur);
}

bool descriptor_is_kept(int descriptor, int kept) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
           (rlim_t)descriptor + (rlim_t)kept >= limit.rlim_cur;
}

bool descriptors_left(int kept, struct fault *fault) {
    int newest = open("/", O_RDONLY | O_CLOEXEC);
    bool left = newest >= 0 && !descriptor_is_kept(newest, kept);
    if (newest >= 0) close(newest);
    return left || fault_set(fault, STATUS_SYSTEM,
                             "there are too many games and connections; try again later");
}

struct descriptor_traffic descriptor_traffic(int descriptor) {
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    int unread = 0;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) ||
        ioctl(descriptor, FIONREAD, &unread))
        return (struct descriptor_traffic){0};
    return (struct descriptor_traffic){.read = (int64_t)info.tcpi_bytes_received - unread,
                                       .taken = (int64_t)info.tcpi_bytes_acked,
                                       .waits = info.tcpi_unacked || info.tcpi_notsent_bytes};
}

bool descriptors_are_short(int error) {
    return error == EMFILE || error == ENFILE;
}
