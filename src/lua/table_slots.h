/* table_slots.h - how large a table is in memory, which Lua tells nobody.
 *
 * A table that was emptied keeps its slots until it grows again. A walk looks at all of them, so
 * without their number a script could walk an empty table of a million slots for the fuel of none.
 */
#ifndef ENSIGN_LUA_TABLE_SLOTS_H
#define ENSIGN_LUA_TABLE_SLOTS_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Slots of the table at `index`, used and free, of its array and its hash part. */
size_t table_slots(lua_State *lua, int index);

/* Is that right with the Lua library of this process? Tried once in each process; false also
 * without memory. */
bool table_slots_proved(void);

#endif
