-- style(view, learned): one of the styles of what was learned, drawn by their shares, so that the
-- enemy cannot know which; what has no styles is its own only one. Draw once in a game, and pass
-- what it gives to view:mind.
return function(view, learned)
  local styles = learned and learned.styles
  if not styles then return learned end
  local whole = 0
  for _, style in ipairs(styles) do whole = whole + style.share end
  local drawn = view:random() * whole
  for _, style in ipairs(styles) do
    drawn = drawn - style.share
    if drawn < 0 then return style end
  end
  return styles[#styles]
end
