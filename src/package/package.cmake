# What is installed, and the packages: included by CMakeLists.txt.
#
# Components: program (the program, its manual pages and completion), data (scripts, variants, bots, pages),
# library (libensign.so.0), library-dev (what is needed to compile with it), server (only in packages: the
# service), python (the module `ensign`). Each is a Debian package. Nothing depends on the prefix, except in the packages,
# whose prefix is /usr.

set(package ${CMAKE_CURRENT_LIST_DIR})
set(made ${CMAKE_BINARY_DIR}/package)
set(share ${CMAKE_INSTALL_DATADIR})
# Where Python looks below a prefix: pythonX.Y/site-packages, which it reads in ~/.local and in an own prefix. Debian's
# packages: -DENSIGN_PYTHON=lib/python3/dist-packages. Empty: not installed.
find_program(PYTHON3 python3)
set(python_folder)
if(PYTHON3)
  execute_process(COMMAND ${PYTHON3} -c "import sys; print('lib/python%d.%d/site-packages' % sys.version_info[:2])"
    OUTPUT_VARIABLE python_folder OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
set(ENSIGN_PYTHON ${python_folder} CACHE STRING "folder of Python's modules, below the prefix")
set(ENSIGN_ZSH ${share}/zsh/site-functions CACHE STRING "folder of completions for zsh, below the prefix")

install(TARGETS ensign COMPONENT program)
install(TARGETS ensign_shared LIBRARY COMPONENT library NAMELINK_COMPONENT library-dev)
install(FILES ${CMAKE_SOURCE_DIR}/src/lib/ensign.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library-dev)
install(FILES ${CMAKE_BINARY_DIR}/ensign.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library-dev)
install(FILES ${package}/completion.bash DESTINATION ${share}/bash-completion/completions RENAME ensign COMPONENT program)
install(FILES ${package}/completion.zsh DESTINATION ${ENSIGN_ZSH} RENAME _ensign COMPONENT program)
install(FILES ${package}/completion.fish DESTINATION ${share}/fish/vendor_completions.d RENAME ensign.fish COMPONENT program)
install(FILES ${package}/ensign.desktop DESTINATION ${share}/applications COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/src/serve/page/icon.svg DESTINATION ${share}/icons/hicolor/scalable/apps
  RENAME ensign.svg COMPONENT program)

install(DIRECTORY scripts variants bots DESTINATION ${share}/ensign USE_SOURCE_PERMISSIONS COMPONENT data
  PATTERN __pycache__ EXCLUDE PATTERN *.npz EXCLUDE)
if(ENSIGN_PYTHON)
  install(DIRECTORY bots/programs/ensign DESTINATION ${ENSIGN_PYTHON} COMPONENT python PATTERN __pycache__ EXCLUDE)
endif()
# Pages lie beside the scripts as in the sources: their links hold, and so do messages that name one.
file(GLOB_RECURSE pages RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS src/*.md tests/*.md)
foreach(page README.md LICENSE ${pages})
  get_filename_component(folder ${page} DIRECTORY)
  install(FILES ${page} DESTINATION ${share}/ensign/${folder} COMPONENT data)
endforeach()

# Manual pages: those of the commands from the program, those of the formats from the documentation.
set(formats
  "ensign-variant|5|variants/REFERENCE.md|what the Lua file of a variant of Ensign may hold"
  "ensign-bot|5|bots/REFERENCE.md|what the Lua file of a bot of Ensign may hold and call"
  "ensign-record|5|variants/FORMATS.md|moves, set-ups and records of Ensign as text"
  "ensign-protocol|7|bots/programs/README.md|how programs play and drive games of Ensign")
find_program(GZIP gzip)
set(write_formats)
set(format_pages)
foreach(format ${formats})
  string(REPLACE "|" ";" format "${format}")
  list(GET format 0 name)
  list(GET format 1 section)
  list(GET format 2 page)
  list(GET format 3 summary)
  list(APPEND format_pages ${CMAKE_SOURCE_DIR}/${page})
  list(APPEND write_formats COMMAND awk -v name=${name} -v section=${section} -v version=${PROJECT_VERSION}
    -v "summary=${summary}" -f ${package}/manual.awk ${CMAKE_SOURCE_DIR}/${page} > ${made}/man${section}/${name}.${section})
endforeach()
set(compress)
if(GZIP)
  set(compress COMMAND sh -c "${GZIP} -9nf ${made}/man?/*")
endif()
add_custom_command(OUTPUT ${made}/man.made
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${made}/man5 ${made}/man6 ${made}/man7
  COMMAND ${CMAKE_COMMAND} -E make_directory ${made}/man5 ${made}/man6 ${made}/man7
  COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C $<TARGET_FILE:ensign> help --manual ${made}/man6
  ${write_formats} ${compress}
  COMMAND ${CMAKE_COMMAND} -E touch ${made}/man.made
  DEPENDS ensign ${package}/manual.awk ${format_pages} VERBATIM)
add_custom_target(manual ALL DEPENDS ${made}/man.made)
foreach(section 5 6 7)
  install(DIRECTORY ${made}/man${section} DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
endforeach()
