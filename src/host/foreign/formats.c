/* formats.c - recognises the format of a foreign game. */
#include "formats.h"

#include "base/paths.h"
#include "base/utf8.h"
#include "gravon_xml.h"
#include "gsn.h"
#include "ucc_log.h"

#include <string.h>

#if !ENSIGN_FOREIGN_XML
void gravon_xml_read(struct foreign *foreign, const struct foreign_help *help, const char *text,
                     size_t length) {
    (void)foreign, (void)text, (void)length;
    foreign_complain(help, 1, 1, "is XML; this program was built without ENSIGN_FOREIGN_XML");
}
#endif

/* Does it begin with '<', after blanks and a byte order mark, in an encoding of one byte a letter
 * or of two? */
static bool is_xml(const char *text, size_t length) {
    size_t at = 0;
    while (at < length && strchr(" \t\r\n\xEF\xBB\xBF\xFE\xFF", text[at])) at++;
    return at < length && text[at] == '<';
}

struct record *formats_import(const char *text, size_t length, const char *name,
                              const struct foreign_help *help) {
    struct foreign foreign = {0};
    if (length > FOREIGN_BYTES_MAX) {
        foreign_complain(help, 0, 0, "is too long: at most %d bytes are expected",
                         FOREIGN_BYTES_MAX);
        return NULL;
    }
    const char *wide = utf8_wide(text, length);
    if (is_xml(text, length)) {
        gravon_xml_read(&foreign, help, text, length);
    } else if (wide) {
        foreign_complain(help, 1, 1, "is in %s; UTF-8 is expected", wide);
        return NULL;
    } else if (gsn_is(text, length)) {
        gsn_read(&foreign, help, text, length);
    } else if (ucc_log_is(text, length)) {
        ucc_log_read(&foreign, help, text, length);
    } else if (name && path_ends(name, ".gsn")) {
        gsn_read(&foreign, help, text, length);
    } else if (name && path_ends(name, ".xml")) {
        gravon_xml_read(&foreign, help, text, length);
    } else {
        foreign_complain(help, 1, 1,
                         "no known format: a GSN, a Gravon XML or a UCC log is expected");
        return NULL;
    }
    struct record *record = foreign_record(&foreign, help);
    foreign_clear(&foreign);
    return record;
}
