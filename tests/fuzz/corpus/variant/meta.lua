return setmetatable({ api = 1 }, { __index = function() error("no") end, __pairs = error })
