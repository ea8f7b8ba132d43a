-- mirrored(setup): the text of a set-up with left and right exchanged.
return function(setup)
  return (setup:gsub("[^/]+", string.reverse))
end
