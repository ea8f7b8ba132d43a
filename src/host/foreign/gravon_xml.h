/* gravon_xml.h - Gravon's XML format: game type, field content, moves, players, result. */
#ifndef ENSIGN_HOST_FOREIGN_GRAVON_XML_H
#define ENSIGN_HOST_FOREIGN_GRAVON_XML_H

#include "foreign.h"

/* Reads what is there and complains of the rest. Elements and attributes that are not known are
 * passed over; a text that is not well-formed is read up to where it breaks. */
void gravon_xml_read(struct foreign *foreign, const struct foreign_help *help, const char *text,
                     size_t length);

#endif
