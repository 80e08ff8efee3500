# Sets tutti_HANA to what provides Boost.Hana's headers: the target Boost::hana if the project has it, else a folder.
# If there is neither, sets tutti_HANA_MESSAGE to an error that says what to install.

if(TARGET Boost::hana)
  set(tutti_HANA Boost::hana)
else()
  find_path(tutti_HANA_INCLUDE_DIR boost/hana/tuple.hpp HINTS ${Boost_INCLUDE_DIR} ${BOOST_ROOT} $ENV{BOOST_ROOT}
            PATH_SUFFIXES include)
  mark_as_advanced(tutti_HANA_INCLUDE_DIR)
  if(tutti_HANA_INCLUDE_DIR)
    set(tutti_HANA "${tutti_HANA_INCLUDE_DIR}")
  else()
    set(tutti_HANA_MESSAGE
        "tutti needs Boost.Hana's headers (Debian: libboost-dev; Fedora: boost-devel); set BOOST_ROOT to where Boost is")
  endif()
endif()
