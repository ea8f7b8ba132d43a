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
if(NOT ENSIGN_STATIC)
  install(TARGETS ensign_shared LIBRARY COMPONENT library NAMELINK_COMPONENT library-dev)
  install(FILES ${CMAKE_SOURCE_DIR}/src/lib/ensign.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library-dev)
  install(FILES ${CMAKE_BINARY_DIR}/ensign.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library-dev)
endif()
install(FILES ${package}/completion.bash DESTINATION ${share}/bash-completion/completions RENAME ensign COMPONENT program)
install(FILES ${package}/completion.zsh DESTINATION ${ENSIGN_ZSH} RENAME _ensign COMPONENT program)
install(FILES ${package}/completion.fish DESTINATION ${share}/fish/vendor_completions.d RENAME ensign.fish COMPONENT program)
install(FILES ${package}/ensign.desktop DESTINATION ${share}/applications COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/src/serve/page/icon.svg DESTINATION ${share}/icons/hicolor/scalable/apps
  RENAME ensign.svg COMPONENT program)

# Permissions are not those of the sources, which a umask may have narrowed.
install(DIRECTORY scripts variants bots DESTINATION ${share}/ensign COMPONENT data
  PATTERN __pycache__ EXCLUDE PATTERN *.npz EXCLUDE
  REGEX "/bots/programs/[a-z]+\\.(py|lua|js)$" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
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

# Debian packages. A component's files below share/doc, and what only a package has, are left out of a plain install.
set(ENSIGN_MAINTAINER "Ensign maintainers <maintainers@ensign.example>" CACHE STRING "of the packages")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ensign)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_CONTACT "${ENSIGN_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION misc) # games would have to lie in /usr/games, which root and services do not search
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENTS_ALL)

# ensign_package(COMPONENT NAME SUMMARY TEXT [DEPENDS …] [RECOMMENDS …] [SUGGESTS …] [SCRIPTS …] [ANY])
function(ensign_package component name summary text)
  cmake_parse_arguments(PARSE_ARGV 4 deb "ANY" "DEPENDS;RECOMMENDS;SUGGESTS" "SCRIPTS")
  string(TOUPPER ${component} upper)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  foreach(relation DEPENDS RECOMMENDS SUGGESTS)
    set(CPACK_DEBIAN_${upper}_PACKAGE_${relation} "${deb_${relation}}" PARENT_SCOPE)
  endforeach()
  set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA "${deb_SCRIPTS}" PARENT_SCOPE)
  if(deb_ANY)
    set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ON PARENT_SCOPE)
  else()
    set(CPACK_DEBIAN_${upper}_PACKAGE_ARCHITECTURE all PARENT_SCOPE)
  endif()
  install(FILES ${made}/copyright ${made}/changelog.gz DESTINATION ${share}/doc/${name}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

set(same "(= ${PROJECT_VERSION})")
ensign_package(program ensign "host for games of two hidden armies" "Two armies that the enemy cannot see meet on a board with lakes, to capture
a flag. Play against bots or people in the terminal and in the browser, let
bots play matches with ratings, and change games and bots: they are Lua files,
run in locked processes."
  ANY DEPENDS "ensign-data ${same}, libwebsockets-evlib-uv" SUGGESTS "ensign-server, nats-server, python3")
ensign_package(data ensign-data "games, bots and scripts of Ensign" "Games with hidden armies, bots, the Lua scripts that they share, players in
other languages, and the documentation."
  RECOMMENDS "ensign ${same}" SUGGESTS "python3, nodejs, lua5.4" SCRIPTS ${package}/data/prerm)
ensign_package(server ensign-server "service that offers the games of Ensign to browsers" "Runs ensign as a service on a port of this machine, with an account of its own
and its games in /var/lib/ensign; and an example of a proxy that lets others
reach it."
  DEPENDS "ensign (>= ${PROJECT_VERSION})" SUGGESTS "nginx-light | httpd"
  SCRIPTS ${package}/server/postinst ${package}/server/prerm ${package}/server/postrm)
ensign_package(library libensign0 "many games of hidden armies at once, for programs" "A library with the rules of Ensign: plays many games at once and fills the
caller's arrays, for programs that learn or search."
  ANY DEPENDS "ensign-data ${same}")
ensign_package(library-dev libensign-dev "files to compile with libensign" "The header of libensign and what pkg-config needs."
  ANY DEPENDS "libensign0 ${same}")
ensign_package(python python3-ensign "games of hidden armies for Python" "Drives games of Ensign, and plays many at once with numpy, for programs that
learn."
  DEPENDS "python3, ensign (>= ${PROJECT_VERSION}), libensign0 (>= ${PROJECT_VERSION})" RECOMMENDS "python3-numpy" SCRIPTS ${package}/python/prerm)
install(FILES ${package}/ensign-server.service DESTINATION lib/systemd/system COMPONENT server EXCLUDE_FROM_ALL)
install(FILES ${made}/nginx.conf DESTINATION ${share}/doc/ensign-server/examples COMPONENT server EXCLUDE_FROM_ALL)
add_custom_command(OUTPUT ${made}/nginx.conf ${made}/copyright ${made}/changelog.gz
  COMMAND awk "/^server /,/^}/" ${CMAKE_SOURCE_DIR}/src/serve/README.md > ${made}/nginx.conf
  COMMAND awk -f ${package}/copyright.awk ${CMAKE_SOURCE_DIR}/LICENSE > ${made}/copyright
  COMMAND awk -v "maintainer=${ENSIGN_MAINTAINER}" -f ${package}/changelog.awk ${CMAKE_SOURCE_DIR}/src/README.md > ${made}/changelog
  COMMAND gzip -9nf ${made}/changelog
  DEPENDS ${package}/copyright.awk ${package}/changelog.awk ${CMAKE_SOURCE_DIR}/src/README.md ${CMAKE_SOURCE_DIR}/LICENSE
    ${CMAKE_SOURCE_DIR}/src/serve/README.md ${made}/man.made VERBATIM)
add_custom_target(package_files DEPENDS ${made}/nginx.conf)
include(CPack)
