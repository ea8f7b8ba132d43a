/* embedded.h - the files of this folder as texts in the program, made by embed.cmake when it is
 * built. Each ends with 0. */
#ifndef ENSIGN_CLI_REPORT_EMBEDDED_H
#define ENSIGN_CLI_REPORT_EMBEDDED_H

extern const unsigned char page_html[], page_css[];
extern const unsigned char dom_js[], board_js[], charts_js[], film_js[], sections_js[], replay_js[],
    main_js[];

#endif
