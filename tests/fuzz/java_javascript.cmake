# Judges of Java, JavaScript and TypeScript.
langsbx_fuzzer(java LIBRARIES langsbx_language_java)
langsbx_fuzzer(javascript LIBRARIES langsbx_language_javascript)
