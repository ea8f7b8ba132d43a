/* stock.c - visits the search path and describes each file. */
#include "stock.h"

#include "host/safe_json.h"
#include "host/seat/message.h"
#include "jail/loader.h"

#include <stdlib.h>

enum { EXIT_OF_HOST = 3 };

static const char *const PART_NAMES[] = {"variants", "bots", "setups"};

const char *stock_part_name(enum stock_part part) {
    return PART_NAMES[part];
}

struct stock_visitor {
    const struct folders *folders;
    void (*visit)(void *context, const struct stock_item *item);
    void *context;
    struct fault *fault; /* of the host; ends the visits */
    bool failed;
};

/* Passes a broken item on, unless the host is at fault: the others would fail too. */
static void visit_broken(struct stock_visitor *visitor, struct stock_item *item,
                         const struct fault *fault) {
    if (status_exit_code(fault->status) == EXIT_OF_HOST) {
        if (visitor->fault) *visitor->fault = *fault;
        visitor->failed = true;
        return;
    }
    item->fault = fault;
    visitor->visit(visitor->context, item);
}

static void visit_variant(void *context, const char *name, const char *path) {
    struct stock_visitor *visitor = context;
    struct stock_item item = {.part = STOCK_VARIANTS, .name = name, .path = path};
    struct fault fault = {0};
    if (visitor->failed) return;
    struct rules *rules = loader_variant(visitor->folders, name, &fault);
    item.rules = rules;
    if (rules)
        visitor->visit(visitor->context, &item);
    else
        visit_broken(visitor, &item, &fault);
    rules_free(rules);
}

static void visit_bot(void *context, const char *name, const char *path) {
    struct stock_visitor *visitor = context;
    struct stock_item item = {.part = STOCK_BOTS, .name = name, .path = path};
    struct bot_card card;
    if (visitor->failed) return;
    struct faults *faults = faults_new();
    if (!faults) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        visit_broken(visitor, &item, &fault);
    } else if (loader_bot(visitor->folders, path, &card, faults)) {
        item.bot = &card;
        visitor->visit(visitor->context, &item);
    } else {
        visit_broken(visitor, &item, faults_first(faults));
    }
    free(faults);
}

static void visit_setups(struct stock_visitor *visitor) {
    struct catalogue catalogue;
    visitor->failed = !catalogue_open(&catalogue, visitor->folders, NULL, visitor->fault);
    for (size_t i = 0; i < catalogue.count && !visitor->failed; i++) {
        const struct catalogue_entry *entry = &catalogue.list[i];
        struct stock_item item = {
            .part = STOCK_SETUPS, .name = entry->entry.name, .path = entry->entry.path};
        if (entry->rules) {
            item.setup = entry;
            visitor->visit(visitor->context, &item);
        } else {
            visit_broken(visitor, &item, &entry->fault);
        }
    }
    catalogue_close(&catalogue);
}

bool stock_visit(const struct folders *folders, enum stock_part part,
                 void (*visit)(void *context, const struct stock_item *item), void *context,
                 struct fault *fault) {
    struct stock_visitor visitor = {folders, visit, context, fault, false};
    if (part == STOCK_VARIANTS)
        folders_list(folders, FOLDER_VARIANTS, visit_variant, &visitor);
    else if (part == STOCK_BOTS)
        folders_list(folders, FOLDER_BOTS, visit_bot, &visitor);
    else
        visit_setups(&visitor);
    return !visitor.failed;
}

static json_t *variant_json(const struct stock_item *item) {
    const struct rules *rules = item->rules;
    json_t *outline = message_outline(rules);
    json_t *variant = json_pack(
        "{s:o, s:s, s:s, s:o, s:i, s:i, s:i}", "name", safe_json(item->name), "title", rules->title,
        "edition", rules->edition, "path", safe_json(item->path), "files", (int)rules->board.files,
        "ranks", (int)rules->board.ranks, "pieces", rules_size(rules));
    if (!outline || json_object_update(variant, outline)) {
        json_decref(variant);
        variant = NULL;
    }
    json_decref(outline);
    return variant;
}

static json_t *bot_json(const struct stock_item *item) {
    const struct bot_card *bot = item->bot;
    return json_pack("{s:o, s:s, s:s?, s:s, s:o}", "name", safe_json(item->name), "title",
                     bot->title, "level", bot->level ? bot_level_name(bot->level) : NULL, "about",
                     bot->about, "path", safe_json(item->path));
}

json_t *stock_item_json(const struct stock_item *item) {
    if (item->fault)
        return json_pack("{s:o, s:o, s:s}", "name", safe_json(item->name), "path",
                         safe_json(item->path), "fault", item->fault->text);
    if (item->setup) return catalogue_json(item->setup);
    if (item->bot) return bot_json(item);
    return variant_json(item);
}

struct stock_list {
    json_t *list;
    bool whole;
};

static void list_item(void *context, const struct stock_item *item) {
    struct stock_list *stock = context;
    if (json_array_append_new(stock->list, stock_item_json(item))) stock->whole = false;
}

json_t *stock_json(const struct folders *folders, unsigned parts, struct fault *fault) {
    json_t *document = json_object();
    for (enum stock_part part = 0; part < STOCK_PARTS; part++) {
        if (!(parts >> part & 1)) continue;
        struct stock_list stock = {json_array(), true};
        bool visited = stock_visit(folders, part, list_item, &stock, fault);
        if (json_object_set_new(document, PART_NAMES[part], stock.list)) stock.whole = false;
        if (visited && stock.whole) continue;
        if (visited) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        json_decref(document);
        return NULL;
    }
    return document;
}
