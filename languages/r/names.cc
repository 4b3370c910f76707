// The names by what they give, a line a capability.
#include "languages/r/names.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace langsbx::languages::r {
namespace {

using C = Capability;

struct Group {
  Capability capability;
  std::string_view names;
};

constexpr Group kAnyUse[] = {
    {C::kProcessSpawn,
     "system system2 shell shell.exec pipe mcparallel mclapply makeCluster "
     "makePSOCKcluster makeForkCluster zip unzip tar untar bitmap "
     "dev2bitmap embedFonts texi2dvi texi2pdf Rcmd compactPDF "
     "buildVignettes testInstalledPackage testInstalledPackages"},
    {C::kNetworkConnect,
     "socketConnection socketAccept socketSelect serverSocket make.socket "
     "read.socket write.socket url.show browseURL download.file "
     "download.packages curlGetHeaders nsl available.packages "
     "contrib.url chooseCRANmirror install.packages update.packages "
     "remove.packages old.packages help.start help.search RSiteSearch "
     "bug.report create.post startDynamicHelp"},
    {C::kDynamicCode,
     "eval evalq eval.parent parse str2lang str2expression sys.source dget as.call as.name "
     "as.symbol as.function delayedAssign makeActiveBinding trace untrace setHook "
     "addTaskCallback body<- formals<- as.function.default parse_expr Sweave Stangle "
     "Rtangle knit example demo run_examples withAutoprint <- <<- -> ->> = str_glue "
     "str_glue_data str_interp glue glue_data exec invoke_map as_mapper"},
    {C::kIntrospection,
     "globalenv baseenv topenv as.environment asNamespace getNamespace .getNamespace "
     "loadNamespace attachNamespace parent.env parent.frame sys.frame sys.frames sys.function "
     "pos.to.env .GlobalEnv .BaseNamespaceEnv .Options get0 mget getAnywhere getFromNamespace "
     "getS3method getMethod selectMethod getFunction getGeneric getExportedValue "
     "getNamespaceInfo assignInNamespace assignInMyNamespace fixInNamespace unlockBinding "
     "environment<- parent.env<- env.profile dynGet argsAnywhere existsFunction "
     "findFunction getGenerics sys.on.exit getNativeSymbolInfo :: :::"},
    {C::kNativeCode,
     ".Internal .Primitive .External .External2 .External.graphics .Call .Call.graphics .C "
     ".Fortran dyn.load dyn.unload library.dynam library.dynam.unload is.loaded cppFunction "
     "sourceCpp evalCpp cfunction inDL useDynLib"},
    {C::kDeserialise, "readRDS unserialize lazyLoad lazyLoadDBfetch infoRDS readRDS.url"},
    {C::kEnvironment, "Sys.setenv Sys.unsetenv"},
    {C::kSystemAdmin, "Sys.chmod Sys.umask Sys.setFileTime setTimeLimit<-"},
    {C::kSignals, "pskill psnice"},
    {C::kInteractive,
     "browser debugger recover edit fix vi vim emacs pico xedit xemacs page menu "
     "de data.entry dataentry View file.choose Rprofmem"},
};

// Names that people give their own variables too.
constexpr Group kCallUse[] = {
    {C::kDynamicCode, "source call body formals"},
    {C::kIntrospection, "environment get attach"},
    {C::kDeserialise, "load"},
    {C::kNetworkConnect, "url"},
    {C::kFilesRead, "file open fifo gzfile bzfile xzfile unz"},
};

// Their text arguments are files.
constexpr Group kFiles[] = {
    {C::kFilesRead,
     "file gzfile bzfile xzfile unz fifo open read.csv read.csv2 read.table read.delim read.delim2 "
     "read.fwf read.dcf read.ftable readLines readChar readBin scan count.fields file.exists "
     "file.info file.size file.mtime file.access list.files list.dirs dir dir.exists Sys.glob "
     "Sys.readlink normalizePath load source readRDS read_csv read_tsv read_delim fread "
     "read_excel readPNG readJPEG count_fields file.show "
     "fromJSON read_json read_lines read_file read_xml md5sum setwd"},
    {C::kFilesWrite,
     "write write.csv write.csv2 write.table write.dcf writeLines writeChar writeBin cat sink dump "
     "dput save saveRDS save.image file.create file.append file.copy file.rename file.symlink "
     "file.link dir.create pdf png jpeg bmp tiff svg postscript xfig cairo_pdf cairo_ps "
     "Rprof savehistory saveWidget ggsave write_csv write_tsv fwrite write_json toJSON "
     "write_lines capture.output"},
    {C::kFilesDelete, "unlink file.remove"},
};

// They take a text for a function; where it stands.
struct Position {
  std::string_view names;
  int position;
};
constexpr Position kFunctionArguments[] = {
    {"do.call match.fun Map mapply Reduce Filter Find Position Vectorize Negate integrate "
     "UseMethod "
     "NextMethod standardGeneric callGeneric stat_function",
     1},
    {"sapply lapply vapply rapply eapply parLapply parSapply future_lapply map map_dbl "
     "map_chr map_int map_lgl map_df map_dfr map_dfc walk pmap imap keep discard dendrapply "
     "across summarise_all mutate_all summarize_all transmute_all addmargins",
     2},
    {"apply tapply outer aggregate by combn ave kernapply map2 map2_dbl map2_chr accumulate "
     "reduce2 reorder summarise_at mutate_at summarise_if mutate_if summarize_at summarize_if",
     3},
    {"sweep stat_summary", 4},
};

constexpr std::string_view kFormulaReaders =
    "as.formula formula reformulate lm glm nls aov loess model.frame model.matrix terms "
    "update.formula xtabs aggregate t.test wilcox.test boxplot";

// Their arguments are read with the columns of a table as variables.
constexpr std::string_view kMaskers =
    "with within subset transform mutate transmute summarise summarize filter arrange group_by "
    "reframe count slice lm glm nls aov loess model.frame model.matrix xtabs aggregate boxplot "
    "plot "
    "aes ggplot by curve data.table";

constexpr std::string_view kRunOptions =
    "device browser pager editor pdfviewer askpass repos error warning.expression unzip "
    "download.file.method download.file.extra defaultPackages profile.options help_type mailer "
    "printcmd bitmapType menu.graphics demo.ask keep.source.pkgs";

constexpr Group kPackages[] = {
    {C::kNone,
     "base stats graphics grDevices utils datasets methods grid splines stats4 "
     "boot class cluster codetools foreign KernSmooth lattice MASS Matrix mgcv nlme nnet "
     "rpart spatial survival compiler tools"},
    {C::kProcessSpawn,
     "parallel snow foreach doParallel doSNOW future furrr processx callr sys "
     "batchtools reticulate rJava tcltk devtools pkgbuild"},
    {C::kNetworkConnect,
     "curl httr httr2 RCurl rvest plumber shiny httpuv websocket sockets DBI "
     "RMySQL RPostgres odbc mongolite googledrive aws.s3 remotes renv pak"},
    {C::kNativeCode, "Rcpp RcppArmadillo inline cpp11 rstan TMB keras tensorflow torch"},
    {C::kDynamicCode, "knitr rmarkdown R.utils pryr lobstr"},
    {C::kIntrospection, "rlang R6 proto"},
};

using Table = std::unordered_map<std::string_view, Function>;

template <typename Visit>
void each_word(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    if (!word.empty()) visit(word);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

template <std::size_t kSize>
void add(Table& table, const Group (&groups)[kSize], Use use) {
  for (const Group& group : groups) {
    each_word(group.names, [&](std::string_view name) {
      table.insert({name, Function{group.capability, use}});
    });
  }
}

using Words = std::unordered_set<std::string_view>;

Words words_of(std::string_view text) {
  Words words;
  each_word(text, [&](std::string_view word) { words.insert(word); });
  return words;
}

}  // namespace

const Function* find_function(std::string_view name) {
  static const Table table = [] {
    Table made;
    add(made, kAnyUse, Use::kAny);
    add(made, kCallUse, Use::kCall);
    return made;
  }();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

int function_argument(std::string_view name) {
  static const std::unordered_map<std::string_view, int> table = [] {
    std::unordered_map<std::string_view, int> made;
    for (const Position& row : kFunctionArguments) {
      each_word(row.names, [&](std::string_view word) { made.insert({word, row.position}); });
    }
    return made;
  }();
  const auto found = table.find(name);
  return found == table.end() ? 0 : found->second;
}

Capability file_use(std::string_view name) {
  static const Table table = [] {
    Table made;
    add(made, kFiles, Use::kCall);
    return made;
  }();
  const auto found = table.find(name);
  return found == table.end() ? Capability::kNone : found->second.capability;
}

bool reads_formula(std::string_view name) {
  static const Words words = words_of(kFormulaReaders);
  return words.contains(name);
}

bool masks_names(std::string_view name) {
  static const Words words = words_of(kMaskers);
  return words.contains(name);
}

bool is_run_option(std::string_view name) {
  static const Words words = words_of(kRunOptions);
  return words.contains(name);
}

std::optional<Capability> find_package(std::string_view name) {
  static const Table table = [] {
    Table made;
    add(made, kPackages, Use::kAny);
    return made;
  }();
  const auto found = table.find(name);
  if (found != table.end()) return found->second.capability;
  return std::nullopt;
}

}  // namespace langsbx::languages::r
