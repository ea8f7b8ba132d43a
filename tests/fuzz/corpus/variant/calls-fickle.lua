local n = 0
return { api = 1, extends = "duel", calls = {
  legal = function() n = n + 1 return n % 3 == 0 and n < 200 end } }
