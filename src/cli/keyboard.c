/* keyboard.c - Cyrillic layouts, key by key. */
#include "keyboard.h"

#include <string.h>
#include <wchar.h>

static const struct {
    const wchar_t *latin, *cyrillic;
} KEYS[][3] = {
    [KEYBOARD_RUSSIAN] = {{L"qwertyuiopasdfghjklzxcvbnm", L"йцукенгшщзфывапролдячсмить"},
                          {L"QWERTYUIOPASDFGHJKLZXCVBNM", L"ЙЦУКЕНГШЩЗФЫВАПРОЛДЯЧСМИТЬ"},
                          {L"sS:", L"іІЖ"}},
    [KEYBOARD_BULGARIAN] = {{L"qwertyuiopasdfghjklzxcvbnm", L",уеишщксдзьяаожгтнвюйъэфхп"},
                            {L"QWERTYUIOPASDFGHJKLZXCVBNM", L"ыУЕИШЩКСДЗѝЯАОЖГТНВЮЙЪЭФХП"},
                            {L":?", L"МБ"}},
};

enum keyboard keyboard_of(const char *tag) {
    return strcmp(tag, "bg") ? KEYBOARD_RUSSIAN : KEYBOARD_BULGARIAN;
}

int keyboard_latin(enum keyboard keyboard, int key) {
    for (int i = 0; i < 3 && key > ' '; i++) {
        const wchar_t *found = wcschr(KEYS[keyboard][i].cyrillic, (wchar_t)key);
        if (found) return (int)KEYS[keyboard][i].latin[found - KEYS[keyboard][i].cyrillic];
    }
    return key;
}
