/* gravon_xml.h - Gravon's XML format: game type, field content, moves, players, result. */
#ifndef ENSIGN_HOST_FOREIGN_GRAVON_XML_H
#define ENSIGN_HOST_FOREIGN_GRAVON_XML_H

#include "foreign.h"

/* Reads all it can and complains about the rest. Unknown elements and attributes are ignored; a
 * text that is not well-formed is read up to the error. */
void gravon_xml_read(struct foreign *foreign, const struct foreign_help *help, const char *text,
                     size_t length);

#endif
