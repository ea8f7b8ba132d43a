/* setup_list.c - the library of set-ups as a list.
 *
 * Letters lead to names, so the keys that change the library have no character. After each change
 * the library is read again. */
#include "setup_list.h"

#include <stdio.h>
#include <string.h>

enum { ITEMS_MAX = 400, WORDS_MAX = 512 };

static const char *list_text(const struct setup_list *list, const char *english) {
    return language_text(list->language, english);
}

static void list_complain(const struct setup_list *list, const struct fault *fault) {
    char line[FAULT_FILE_MAX + LANGUAGE_TEXT_MAX];
    language_fault_line(list->language, fault, line, sizeof line);
    dialog_read(list->screen, list->behind, list_text(list, TEXT("Something went wrong")), line);
}

/* Asks for a new name, again if it will not do. `name` (LIBRARY_NAME_MAX bytes) becomes the new
 * one.
 */
static void list_rename(const struct setup_list *list, const struct folders *folders, char *name) {
    char renamed[LIBRARY_NAME_MAX], path[FOLDER_PATH_MAX];
    snprintf(renamed, sizeof renamed, "%s", name);
    while (dialog_type(list->screen, list->behind, list_text(list, TEXT("Rename this set-up")),
                       list_text(list, TEXT("Its new name:")), renamed, sizeof renamed) &&
           renamed[0] && strcmp(renamed, name) != 0) {
        struct fault fault = {0};
        if (setup_library_rename(folders, name, renamed, path, &fault)) {
            strcpy(name, renamed);
            return;
        }
        list_complain(list, &fault);
    }
}

static void list_delete(const struct setup_list *list, const struct folders *folders,
                        const char *name) {
    char question[WORDS_MAX], path[FOLDER_PATH_MAX];
    struct fault fault = {0};
    language_write(question, sizeof question, list->language, "Delete your set-up \"{1}\"?", name);
    if (dialog_confirm(list->screen, list->behind, question, list_text(list, TEXT("yes")),
                       list_text(list, TEXT("no"))) &&
        !setup_library_delete(folders, name, path, &fault))
        list_complain(list, &fault);
}

/* Renames or deletes; a set-up that is not the user's own stays. */
static void list_change(const struct setup_list *list, char *name, int key) {
    const struct folders folders = folders_of_variant(list->folders, list->rules->name);
    char path[FOLDER_PATH_MAX];
    struct fault fault = {0};
    if (!setup_library_own(&folders, name, path, &fault))
        list_complain(list, &fault);
    else if (key == SCREEN_F2)
        list_rename(list, &folders, name);
    else
        list_delete(list, &folders, name);
}

/* Shows the library once, beginning at the set-up `name` or where it would stand. The chosen one;
 * NULL: none. */
static const struct library_setup *list_show(const struct setup_list *list,
                                             const struct setup_library *library, const char *name,
                                             int *key) {
    static const int keys[] = {SCREEN_F2, SCREEN_DELETE, SCREEN_BACKSPACE, 0};
    static struct dialog_item items[ITEMS_MAX];
    int count = library->count < ITEMS_MAX ? (int)library->count : ITEMS_MAX, at = 0;
    for (int i = 0; i < count; i++) {
        items[i] =
            (struct dialog_item){library->list[i].name, list_text(list, library->list[i].idea)};
        at += strcmp(library->list[i].name, name) < 0;
    }
    if (at == count) at--;
    int chosen = dialog_pick(list->screen, list->behind,
                             list_text(list, TEXT("Set-ups; F2 renames, Delete deletes your own")),
                             items, count, at, keys, key);
    return chosen < 0 ? NULL : &library->list[chosen];
}

enum setup_list_end setup_list_choose(const struct setup_list *list, struct library_setup *chosen,
                                      struct fault *fault) {
    char name[LIBRARY_NAME_MAX] = "";
    for (;;) {
        struct setup_library library;
        int key;
        if (!setup_library_open(&library, list->folders, list->rules, list->side, fault))
            return SETUP_LIST_FAILED;
        size_t count = library.count;
        const struct library_setup *found = count ? list_show(list, &library, name, &key) : NULL;
        if (found) *chosen = *found;
        bool ends = !found || key == SCREEN_ENTER;
        setup_library_close(&library);
        if (ends) return !count ? SETUP_LIST_EMPTY : found ? SETUP_LIST_CHOSEN : SETUP_LIST_LEFT;
        snprintf(name, sizeof name, "%s", chosen->name);
        list_change(list, name, key);
    }
}
