# Layers of images.
langsbx_fuzzer(tar LIBRARIES langsbx_image langsbx_state)
