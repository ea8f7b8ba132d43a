# Embeds the files FILES of the folder FROM in the C source TO, each as a zero-terminated text NAME_EXTENSION, which
# HEADER declares.
set(source "/* Made by embed.cmake. */\n#include \"${HEADER}\"\n")
foreach(file ${FILES})
  file(READ ${FROM}/${file} bytes HEX)
  string(REGEX REPLACE "[^a-zA-Z0-9]" "_" name ${file})
  string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND source "\nconst unsigned char ${name}[] = {\n${bytes}0};\n")
endforeach()
file(WRITE ${TO} "${source}")
