/* former_archive.h - turns a server's games.sqlite back into one of format 1. */
#ifndef ENSIGN_TESTS_SERVE_FORMER_ARCHIVE_H
#define ENSIGN_TESTS_SERVE_FORMER_ARCHIVE_H

#define TO_FORMER_ARCHIVE                                                                          \
    "drop table ran; drop index red_invited; drop index blue_invited;"                             \
    "alter table game drop column red_invite; alter table game drop column blue_invite;"           \
    "alter table game drop column next; "                                                          \
    "alter table game drop column red_token; alter table game drop column blue_token; update game set changed = 1000; pragma user_version = 1"

#endif
