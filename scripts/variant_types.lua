---@meta
-- Variant types for editors; the host never loads this file. See variants/REFERENCE.md. Editors use
-- them in a file that declares the type of its table:
--
--   ---@type Variant
--   local variant = { api = 1, extends = "original" }
--   return variant

---@class Variant
---@field api 1                          version of the file format
---@field extends? string                the variant that this one extends
---@field title? string                  the name that is shown; not inherited
---@field names? table<string, string>   the title by language; not inherited
---@field edition? string                what sets the game apart, for players; not inherited
---@field board? VariantBoard
---@field zone? VariantZone
---@field army? VariantArmy              number of each piece on a side, 0 … 128
---@field pieces? table<string, VariantPiece>
---@field note? string                   rules for the rule sheet that are not in the tables
---@field combat? VariantCombat|false
---@field two_squares? integer|false     2 … 16
---@field chase? "isf"|"russian"|false
---@field after_battle? Showing|fun(attacker: string, defender: string, outcome: Outcome): Showing
---@field fallen? "shown"|"hidden"
---@field open? boolean
---@field setup? string|VariantArmies|false
---@field fall_of? table<string, VariantFall|false>|false
---@field sight? integer|false|fun(board: Board, side: Side, from: Square): Place[]
---@field first? "red"|"blue"|"chosen"
---@field calls? VariantCalls            called during play
---@field limits? VariantLimits
---@field draw_without? string[]|false   pieces
---@field repetition? integer|false      2 … 9
---@field counters? table<string, VariantCounter|false>|false
---@field goal? VariantGoal[]|false
---@field tests? VariantTest[]           not inherited

---@alias Outcome "attacker"|"defender"|"both"
---@alias Showing "reveal"|"conceal"|"silent"

---@class VariantArmies
---@field red? string
---@field blue? string

---@class VariantFall
---@field reveal? string|string[]

---@class VariantCounter
---@field each? boolean
---@field from? integer                  -30000 … 30000
---@field to? integer
---@field start? integer
---@field title? string
---@field names? table<string, string>   by language

---@class VariantGoal
---@field piece? string|string[]
---@field at? "far_rank"|Place[]|VariantPlaces
---@field after? integer                 0 … 3
---@field counter? string
---@field reaches? integer
---@field result? "win"|"lose"|"draw"|"red"|"blue"

---@class VariantPlaces
---@field red? Place[]
---@field blue? Place[]

---@class VariantCalls
---@field legal? (fun(position: Position, move: Play): boolean, string?)|false
---@field battle? (fun(position: Position, move: Play): Outcome)|false
---@field after_battle? (fun(position: Position, move: Play): Effects)|false
---@field after_move? (fun(position: Position, move: Play): Effects)|false
---@field turn_start? (fun(position: Position): Effects)|false
---@field ending? (fun(position: Position): Side|"draw"|nil, (string|table<string, string>)?)|false

---@alias Effects Effect|Effect[]|nil

---@class Effect                        one of remove, reveal, conceal, place, swap, add, set, win, …
---@field remove? Place
---@field reveal? Place
---@field conceal? Place
---@field place? string                  a fallen piece
---@field at? Place                      where it is placed
---@field side? Side                     whose piece it is
---@field swap? Place
---@field with? Place                    the other square
---@field add? string                    a counter
---@field by? integer                    what is added, default 1
---@field set? string                    a counter
---@field to? integer                    its value
---@field win? Side
---@field lose? Side
---@field draw? true

---@class Play                           a move that a call receives
---@field side Side
---@field kind string
---@field from integer
---@field to integer
---@field attacks? string                the piece on `to`
---@field outcome? Outcome               of the battle, once it is decided
---@field ability? string
---@field target? integer
---@field choice? string

---@class Position
local position = {}

---@return Board
function position:board() end
---@param square Place
---@return string? kind
---@return Side? side
function position:kind_at(square) end
---@param square Place
---@return boolean
function position:has_moved(square) end
---@param side Side
---@param kind? string
---@return integer[]
function position:squares(side, kind) end
---@param side Side
---@param kind? string
---@return integer
function position:count(side, kind) end
---@param side Side
---@param kind? string
---@return integer
function position:captured(side, kind) end
---@param side Side
---@param kind? string
---@return integer
function position:returnable(side, kind) end
---@param name string                    of a counter
---@param side? Side                     where each side has its own
---@return integer
function position:counter(name, side) end
---@param kind string
---@return integer
function position:rank(kind) end
---@return Side
function position:to_move() end
---@return integer
function position:plies() end

-- To the log: `check` and `watch` show it. tostring(position) draws the board.
---@param ... any
function print(...) end

---@class VariantBoard
---@field files? integer                 1 … 16
---@field ranks? integer                 2 … 16
---@field lakes? Place[]
---@field ground? table<string, Place[]|VariantGround|false>|false
---@field links? string[]|false           pairs such as "b3-a2"
---@field walls? string[]|false
---@field shelter? string|string[]|false  names of grounds
---@field leaves? string|string[]|false

---@class VariantGround
---@field red? Place[]
---@field blue? Place[]

---@class VariantZone
---@field ranks? integer                 1 … 8, at most half of the board
---@field squares? Place[]|false          red's, turned for blue
---@field red? VariantSideZone|false
---@field blue? VariantSideZone|false
---@field filled? boolean

---@class VariantSideZone
---@field ranks? integer                 1 … 15
---@field squares? Place[]

-- The number of each piece; `red` and `blue` where one side differs.
---@class VariantArmy
---@field red? table<string, integer>|false
---@field blue? table<string, integer>|false

-- Conditions that all hold; ranks are counted from the owner's back rank.
---@class VariantStart
---@field ranks? integer[]
---@field not_ranks? integer[]
---@field squares? Place[]               red's, turned for blue
---@field red? Place[]
---@field blue? Place[]

---@class VariantLimits
---@field no_attack? integer|false       plies
---@field plies? integer|false

---@class VariantPiece
---@field letter? string                 one of A-Z and 0-9
---@field label? string|integer
---@field names? table<string, string>   its name, by language
---@field rank? integer                  -1000 … 1000
---@field flag? boolean
---@field start? VariantStart|false       where it may stand at the start
---@field moves? VariantMoves|VariantMoves[]
---@field sight? integer|fun(board: Board, side: Side, from: Square): Place[]
---@field beats? string[]|"all"|false
---@field kills? string[]|"all"|false
---@field advances? boolean
---@field loses_to? string[]|"all"|false
---@field repels? string[]|"all"|false
---@field abilities? table<string, VariantAbility|false>|false

---@alias VariantMoves "none"|"step"|"run"|VariantWalk|VariantWays

---@class VariantWalk
---@field reach? integer                 1 … 15; 1 … 3 with turns
---@field turns? boolean
---@field slide? string                   the name of a ground
---@field flood? string
---@field only? "attack"|"move"
---@field last? "attack"|"move"          of the last square of the longest ways
---@field stops? boolean                 false: it only passes the squares before the last

---@class VariantWay                     squares, one after the other
---@field [integer] Place
---@field only? "attack"|"move"
---@field last? "attack"|"move"
---@field stops? boolean

---@alias VariantWays fun(board: Board, side: Side, from: Square): (Place|VariantWay)[]

---@alias Footing table<string, boolean|"own"|"enemy"|"both"> by the names of grounds

---@alias VariantCombat fun(a: VariantFighter, d: VariantFighter, from: Footing, to: Footing): Outcome|"ask"|false

---@class VariantFighter
---@field name string
---@field rank integer
---@field label string
---@field letter string
---@field flag boolean
---@field mobile boolean

---@alias AbilityTime "instead"|"after_step"|"after_attack"
---@alias AbilityAim "enemy"|"own"|"empty"

---@class VariantAbility
---@field when? AbilityTime|AbilityTime[]
---@field aims? AbilityAim|AbilityAim[]
---@field asks? "kind"|"captured"|false
---@field except? string[]|false
---@field limit? integer|false           1 … 255
---@field each? integer|false            1 … 3, uses by one piece
---@field rest? integer|false            1 … 3 turns
---@field attacks? boolean
---@field targets? fun(board: Board, side: Side, from: Square): Place[]
---@field resolve? fun(actor: string, target?: string, choice?: string): AbilityEffects

---@alias Whom "target"|"actor"|"both"

---@class AbilityEffects
---@field remove? Whom
---@field reveal? Whom
---@field conceal? Whom
---@field learn? "kind"|VariantQuestion|false
---@field hold? integer|false            1 … 3 turns
---@field add? string                    a counter
---@field by? integer                    what is added, default 1
---@field set? string                    a counter
---@field to? integer                    its value
---@field side? "own"|"enemy"            whose counter
---@field battle? boolean
---@field swap? boolean
---@field place? boolean
---@field win? boolean
---@field lose? boolean
---@field draw? boolean

---@class VariantQuestion
---@field at_least? string                a piece
---@field one_of? string[]

---@class VariantTest
---@field title string
---@field position? table<string, string>|string
---@field red? string                    a set-up
---@field blue? string
---@field first? Side
---@field moves? string                  to play first
---@field move? string                   to test
---@field illegal? string                the rule that it breaks
---@field after? table<string, string|false>|string
---@field falls? string                  "rM b3"
---@field known? string                  "a5 c7"
---@field seen? string                   "a5 c7"
---@field counters? table<string, integer|VariantTestCounter>
---@field result? "red"|"blue"|"draw"|"none"
---@field reason? string
---@field ending? string                the words of calls.ending

---@class VariantTestCounter
---@field red? integer
---@field blue? integer

---@class Board
---@field files integer
---@field ranks integer
local board = {}

---@param square string                  or file and rank, from 1
---@return Square?
---@overload fun(self: Board, file: integer, rank: integer): Square?
function board:square(square) end
---@param square Place
---@return integer
function board:file(square) end
---@param square Place
---@return integer
function board:rank(square) end
---@param square Place
---@return string
function board:name(square) end
---@param ground string
---@param square Place
---@param side? Side                     that it belongs to
---@return boolean
function board:is(ground, square, side) end
---@param square Place
---@return boolean
function board:is_lake(square) end
---@param side Side
---@param square Place
---@return boolean
function board:in_zone(side, square) end
---@param side Side
---@param square Place
---@return boolean
function board:back_rank(side, square) end
---@param square Place
---@param files integer                  to the right
---@param ranks integer                  up
---@return Square?
function board:step(square, files, ranks) end
---@return Square[]
function board:squares() end
---@param square Place
---@return Square[]
function board:neighbours(square) end

return { board = board, position = position }
