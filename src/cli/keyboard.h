/* keyboard.h - Cyrillic keyboards as commands.
 *
 * Commands and squares are Latin letters. A Cyrillic letter means the Latin one on the same key, so
 * nobody has to change the layout. */
#ifndef ENSIGN_CLI_KEYBOARD_H
#define ENSIGN_CLI_KEYBOARD_H

enum keyboard {
    KEYBOARD_RUSSIAN,  /* and Ukrainian, whose other letters stand on keys without a command */
    KEYBOARD_BULGARIAN /* BDS, the national standard */
};

/* The usual one of a language's speakers, by its tag: "bg". */
enum keyboard keyboard_of(const char *tag);

/* The Latin character on the key of a Cyrillic one, in the same case; any other key as it is. */
int keyboard_latin(enum keyboard keyboard, int key);

#endif
