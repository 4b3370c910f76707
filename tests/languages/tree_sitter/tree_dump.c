/* tree_dump [-q] FILE...: the identifiers that a tree-sitter grammar sees, in scanner_dump's format; -q: parses and
   says nothing, for the benchmark.
   Built for one grammar: -DGRAMMAR=tree_sitter_go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

const TSLanguage* GRAMMAR(void);

static char* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return NULL;
  char* text = NULL;
  size_t room = 0;
  *size = 0;
  for (;;) {
    if (*size + 65536 > room) {
      room = room * 2 + 65536;
      text = realloc(text, room);
      if (text == NULL) abort();
    }
    const size_t got = fread(text + *size, 1, 65536, file);
    if (got == 0) break;
    *size += got;
  }
  fclose(file);
  return text;
}

/* Leaves whose kind says that they are names: identifier, type_identifier, field_identifier ... */
static int is_name(TSNode node) {
  if (!ts_node_is_named(node) || ts_node_child_count(node) != 0) return 0;
  const char* type = ts_node_type(node);
  const size_t length = strlen(type);
  return length >= 10 && strcmp(type + length - 10, "identifier") == 0;
}

static void dump(TSTree* tree, const char* text) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  for (;;) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    if (is_name(node)) {
      const uint32_t start = ts_node_start_byte(node);
      printf("%u %.*s\n", start, (int)(ts_node_end_byte(node) - start), text + start);
    }
    if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (!ts_tree_cursor_goto_parent(&cursor)) {
        ts_tree_cursor_delete(&cursor);
        return;
      }
    }
  }
}

int main(int argc, char** argv) {
  TSParser* parser = ts_parser_new();
  if (!ts_parser_set_language(parser, GRAMMAR())) return 2;
  const int quiet = argc > 1 && strcmp(argv[1], "-q") == 0;
  for (int i = 1 + quiet; i < argc; ++i) {
    size_t size = 0;
    char* text = read_file(argv[i], &size);
    if (text == NULL) return 2;
    TSTree* tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)size);
    if (!quiet) printf("file %s errors %d\n", argv[i], tree == NULL || ts_node_has_error(ts_tree_root_node(tree)));
    if (tree != NULL && !quiet) dump(tree, text);
    ts_tree_delete(tree);
    free(text);
  }
  ts_parser_delete(parser);
  return 0;
}
