// The table of commands. A row is a class: capabilities, handler, names.
#include <algorithm>
#include <array>
#include <cstddef>

#include "languages/bash/commands.h"
#include "languages/bash/names.h"
#include "languages/bash/option_table.h"

namespace langsbx::languages::bash {
namespace {

struct Row {
  std::uint32_t capabilities;
  Handler handler;
  bool builtin;
  std::string_view names;
};

constexpr std::uint32_t kRead = capability_bit(Capability::kFilesRead);
constexpr std::uint32_t kWrite = capability_bit(Capability::kFilesWrite);
constexpr std::uint32_t kDelete = capability_bit(Capability::kFilesDelete);
constexpr std::uint32_t kSpawn = capability_bit(Capability::kProcessSpawn);
constexpr std::uint32_t kConnect = capability_bit(Capability::kNetworkConnect);
constexpr std::uint32_t kListen = capability_bit(Capability::kNetworkListen);
constexpr std::uint32_t kDynamic = capability_bit(Capability::kDynamicCode);
constexpr std::uint32_t kEnviron = capability_bit(Capability::kEnvironment);
constexpr std::uint32_t kSignal = capability_bit(Capability::kSignals);
constexpr std::uint32_t kAdmin = capability_bit(Capability::kSystemAdmin);
constexpr std::uint32_t kPersist = capability_bit(Capability::kPersistence);
constexpr std::uint32_t kSecret = capability_bit(Capability::kSecrets);
constexpr std::uint32_t kNative = capability_bit(Capability::kNativeCode);
constexpr std::uint32_t kScreen = capability_bit(Capability::kInteractive);

constexpr Row kRows[] = {
    // Builtins.
    {0, Handler::kText, true,
     ": true false echo return exit shift break continue times umask fg bg disown "
     "type shopt suspend caller help dirs history fc logout ulimit"},
    {0, Handler::kTest, true, "[ test"},
    {0, Handler::kChangesDirectory, true, "cd pushd popd chdir"},
    {0, Handler::kText, true, "pwd"},
    {0, Handler::kDeclare, true, "declare typeset local export readonly"},
    {0, Handler::kNames, true, "read unset getopts let wait"},
    {0, Handler::kPrintf, true, "printf"},
    {0, Handler::kMapfile, true, "mapfile readarray"},
    {0, Handler::kBuiltin, true, "builtin command exec"},
    {0, Handler::kTrap, true, "trap"},
    {0, Handler::kSet, true, "set"},
    {0, Handler::kJobs, true, "jobs"},
    {0, Handler::kEnable, true, "enable"},
    {0, Handler::kHash, true, "hash"},
    {0, Handler::kComplete, true, "complete compgen compopt bind"},
    {kDynamic, Handler::kEval, true, "eval"},
    {0, Handler::kSource, true, "source ."},
    {kDynamic, Handler::kAlias, true, "alias"},
    {0, Handler::kText, true, "unalias"},
    {kSignal, Handler::kText, true, "kill"},
    // Text and numbers.
    {0, Handler::kText, false,
     "seq sleep basename dirname expr date factor uname whoami id nproc yes arch tty logname "
     "groups hostid numfmt getconf which whereis locale getopt tput clear sync uptime cal "
     "users who ts hostname figlet uuidgen dircolors ipcs lsns"},
    {kRead, Handler::kReads, false,
     "cat head tail cut sort uniq wc tac rev nl od hexdump xxd paste join comm diff cmp "
     "diff3 sdiff fold fmt expand unexpand tsort pr column base64 base32 basenc cksum sum "
     "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum iconv strings file zcat "
     "bzcat xzcat zstdcat stat ls dir vdir du df realpath readlink tree look bc shuf csplit "
     "split msgfmt hd colrm zdiff zcmp nm size readelf objdump yq xmllint ptx pathchk lsattr "
     "getfattr getfacl soelim jsonlint addr2line"},
    {kRead, Handler::kText, false, "tr"},
    {kRead, Handler::kPattern, false,
     "grep egrep fgrep zgrep zegrep zfgrep rgrep bzgrep xzgrep jq rg"},
    {kRead, Handler::kAwk, false, "awk gawk mawk nawk original-awk busybox-awk"},
    {kRead, Handler::kSed, false, "sed gsed"},
    {kRead, Handler::kFind, false, "find"},
    {kRead, Handler::kDc, false, "dc"},
    // Files.
    {kWrite, Handler::kWrites, false,
     "tee touch mkdir truncate mkfifo gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd "
     "unzstd lz4 compress uncompress patch dos2unix unix2dos fallocate mktemp tempfile "
     "setfattr setfacl"},
    {kWrite, Handler::kCopies, false, "cp mv ln install link"},
    {kWrite, Handler::kChmod, false, "chmod chown chgrp"},
    {kRead | kWrite, Handler::kTar, false, "tar bsdtar gtar"},
    {kRead | kWrite, Handler::kReads, false, "zip unzip zipinfo funzip"},
    {kRead | kWrite | kSpawn, Handler::kReads, false, "cpio pax ar 7z 7za 7zr rar unrar"},
    {kRead | kWrite, Handler::kDd, false, "dd"},
    {kDelete, Handler::kDeletes, false, "rm rmdir unlink shred srm wipe"},
    {kWrite | kAdmin, Handler::kWrites, false, "mknod chattr"},
    // Wrappers.
    {0, Handler::kWrapper, false, "timeout nice time stdbuf ionice"},
    {0, Handler::kXargs, false, "xargs"},
    {kEnviron, Handler::kWrapper, false, "env"},
    {kEnviron, Handler::kText, false, "printenv"},
    {kSpawn, Handler::kWrapper, false,
     "sudo doas su runuser pkexec sudoedit nohup setsid busybox toybox strace ltrace flock setarch "
     "linux32 linux64 i386 x86_64 "
     "prlimit taskset chrt unbuffer rlwrap torify torsocks proxychains proxychains4 fakeroot "
     "dbus-run-session xvfb-run catchsegv valgrind choom cpulimit softlimit multitime "
     "hyperfine perf gdb gdbserver ld.so ld-linux.so.2 ld-linux-x86-64.so.2 "
     "ld-linux-aarch64.so.1 script scriptreplay entr inotifywait run-parts logsave sg "
     "daemonize start-stop-daemon systemd-run systemd-cat cgexec firejail bwrap setpriv "
     "setlock runscript faketime aa-exec capsh ssh-agent tini dumb-init"},
    {kAdmin, Handler::kWrapper, false, "     chroot unshare nsenter newgrp "},
    {kSpawn, Handler::kXargsLike, false, "parallel watch"},
    // Shells, interpreters, tools that build or run.
    {kSpawn, Handler::kShell, false,
     "bash sh dash ash zsh ksh mksh pdksh rbash csh tcsh fish yash posh elvish pwsh"},
    {kSpawn, Handler::kText, false,
     "python python2 python3 pypy pypy3 perl ruby irb node nodejs deno bun php lua luajit "
     "tclsh wish expect guile scheme jjs jrunscript java javac julia Rscript R octave ghc "
     "ghci runghc ocaml swift scala kotlin groovy elixir erl iex go cargo rustc gcc g++ cc "
     "c++ clang clang++ tcc as ld gold make gmake cmake ninja meson scons rake ant mvn "
     "gradle npm npx yarn pnpm pip pip3 pipx uv poetry gem bundle bundler composer cabal "
     "stack dotnet msbuild mono tox nox pytest ctest m4 yacc bison flex lex git hg svn cvs "
     "bzr fossil ctags cscope ansible ansible-playbook terraform vagrant puppet chef docker "
     "podman buildah runc crun ctr nerdctl kubectl helm kind minikube shellcheck shfmt hugo "
     "pandoc latex pdflatex xelatex lualatex tex pdftex texlua groff troff nroff gs "
     "ghostscript convert magick ffmpeg sqlite3 mysql psql redis-cli mongo facter cobc "
     "csvtool jshell kotlinc nasm yasm pkg-config objcopy strip ranlib systemd-analyze cpan "
     "easy_install easyrsa sqlmap tasksh genie gimp pdb ipython jupyter dvips msfconsole "
     "snap-confine mypy pylint black clisp nsjail rpmbuild rpmdb rpmquery rpmverify dpkg-deb "
     "dpkg-query apt-cache check_by_ssh check_cups check_log check_memory check_raid "
     "check_statusfile check_ssl_cert ispell aspell xdotool xmodmap xpad"},
    // Of the system, but without power over it.
    {kSpawn, Handler::kText, false,
     "apt apt-get aptitude dpkg rpm yum dnf zypper pacman apk snap flatpak brew emerge opkg "
     "pkg ldconfig update-alternatives alternatives locale-gen stty ldd ssh-keygen "
     "ssh-keyscan ssh-copy-id lsblk blkid lsmod lspci lsusb lsof dmesg ip ifconfig route "
     "journalctl logger getcap gpg gpg2 gpgv virsh quota sar batctl pidstat last lastb lp "
     "lpr lpstat cancel gnuplot genisoimage mkisofs aoss ascii-xfr ascii85 atobm basez "
     "bconsole bridge c89 c99 cupsfilter clamscan cowsay cowthink cdist dosbox dstat efax "
     "enscript eqn espeak exiftool fping gcore grc highlight hexedit ginsh ksshell latexmk "
     "msgattrib msgcat msgconv msgfilter msgmerge msguniq mosquitto opensc-tool pexec psad "
     "ptardiff ptargrep readprofile rc sash scanmem scrot sysbench tbl tdbtool tic tmate "
     "unsquashfs varnishncsa volatility wall xdg-user-dir xetex zsoelim systemd-resolve "
     "openvpn fuser hwclock hostnamectl timedatectl loginctl"},
    {kScreen, Handler::kText, false,
     "vi vim nvim view vimdiff rview rvim ex ed red nano pico emacs joe jed mcedit neatvi ne "
     "micro kak helix less more most pg man info screen tmux dialog whiptail mc top htop "
     "zathura byebug slsh xterm gnome-terminal konsole minicom picocom zless bzless xzless "
     "run-mailcap mail mailx mutt alpine pine links lynx w3m elinks vigr vipw visudo crash "
     "links2 nedit"},
    // Network.
    {kConnect, Handler::kConnects, false, "nc ncat netcat socat nc.openbsd nc.traditional"},
    {kConnect, Handler::kText, false,
     "curl wget ssh scp sftp rsync ftp tftp lftp telnet ping ping6 traceroute tracepath mtr "
     "dig host nslookup whois nmap openssl aria2c axel http https rclone aws gcloud gsutil "
     "az s3cmd sshpass finger rlogin rsh rcp smbclient ldapsearch tshark tcpdump wireshark "
     "ngrep dumpcap hping3 arping sshfs kermit irssi gh ab slcli ss netstat yelp xdg-open "
     "sensible-browser restic borg duplicity rdist cscript uucp mosquitto_pub mosquitto_sub"},
    {kConnect | kListen, Handler::kText, false, "sshd nginx apache2 httpd dropbear in.telnetd"},
    // The system.
    {kAdmin, Handler::kDisk, false,
     "mkfs fdisk sfdisk gdisk sgdisk cfdisk parted mkswap wipefs blkdiscard pvcreate mke2fs"},
    {kAdmin, Handler::kText, false,
     "systemctl service rc-service initctl launchctl mount umount swapon swapoff "
     "losetup   "
     "useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup "
     "passwd chpasswd chsh chfn insmod rmmod modprobe depmod  sysctl iptables ip6tables "
     "nft ufw    ifup ifdown brctl tc iw iwconfig ethtool shutdown reboot "
     "halt poweroff init telinit           "
     "          "
     "update-grub grub-install dmsetup lvm vgcreate lvcreate mdadm cryptsetup fsck "
     "e2fsck tune2fs resize2fs debugfs     "
     "machinectl  kexec setcap  restorecon setenforce semanage auditctl  "
     "qemu kpartx  quotaon mkinitrd dracut update-initramfs efibootmgr rtcwake eject "
     "setfont loadkeys bpftrace bpftool tracefs dpkg-reconfigure dmidecode lshw   "
     "ntpdate chronyc     xfs_repair "
     "tasklist arp ipset  openvt wg wg-quick "
     "vpnc pppd          faillog "
     "acct        gtester hping   "
     " apache2ctl          "
     "            "
     "          "
     "           "
     "          "
     "    "},
    {kPersist, Handler::kText, false,
     "crontab at batch    rc-update chkconfig update-rc.d  "
     " svc supervisorctl atd cron crond anacron"},
    {kSignal, Handler::kText, false, "pkill killall skill snice pgrep pidof pidwait renice ps"},
    {kSecret, Handler::kText, false,
     "   pass secret-tool keyctl ssh-add keytool vault kdestroy kinit klist "
     "secret"},
    {kNative, Handler::kText, false, "rundll32 regsvr32"},
};

constexpr std::size_t kSlots = 4096;

// Open addressing; a slot holds some of the hash, so that a name which is not there is seldom
// compared.
struct Slot {
  std::uint16_t check = 0;
  std::uint16_t command = 0;  // from 1
};

constexpr std::size_t count_names() {
  std::size_t count = 0;
  for (const Row& row : kRows) {
    bool inside = false;
    for (const char c : row.names) {
      count += !inside && c != ' ' ? 1 : 0;
      inside = c != ' ';
    }
  }
  return count;
}

constexpr std::size_t count_bytes() {
  std::size_t count = 0;
  for (const Row& row : kRows) count += row.names.size();
  return count;
}

struct Table {
  std::array<Slot, kSlots> slots{};
  std::array<CommandInfo, count_names() + 1> commands{};
  // Their names one behind the other: pointers would have to be relocated whenever the program
  // starts.
  std::array<std::uint16_t, count_names() + 2> starts{};
  std::array<char, count_bytes()> names{};

  constexpr std::string_view name(std::uint16_t command) const {
    return {names.data() + starts[command],
            static_cast<std::size_t>(starts[command + 1] - starts[command])};
  }
};
static_assert(count_names() * 2 < kSlots, "the probe relies on a sparse table");
static_assert(count_names() < kMostCommands);
static_assert(count_bytes() < 65536, "starts are 16 bits wide");

constexpr std::size_t place(const Table& table, std::string_view name, std::uint32_t hash) {
  const auto check = static_cast<std::uint16_t>(hash >> 16U);
  std::size_t at = hash % kSlots;
  while (table.slots[at].command != 0 && (table.slots[at].check != check ||
                                          !same_name(table.name(table.slots[at].command), name))) {
    at = (at + 1) % kSlots;
  }
  return at;
}

constexpr Arrival arrival_of(Handler handler) {
  const bool runs =
      handler == Handler::kShell || handler == Handler::kEval || handler == Handler::kSource;
  return runs ? Arrival::kShell : Arrival::kNone;
}

// What commands have to do with code that arrives; shells, `eval` and `source` by their handler.
struct ArrivalRow {
  Arrival arrival;
  std::string_view names;
};

constexpr ArrivalRow kArrivals[] = {
    {Arrival::kFetches, "curl wget aria2c axel http https base64"},
    {Arrival::kConnects, "telnet openssl nc ncat netcat socat nc.openbsd nc.traditional"},
    {Arrival::kInterpreter,
     "python python2 python3 pypy pypy3 perl ruby node nodejs php lua luajit"},
    {Arrival::kWraps,
     "sudo env nice nohup time timeout stdbuf command exec setsid doas ionice builtin busybox "
     "xargs chroot"},
};

constexpr void set_arrivals(Table& table) {
  for (const ArrivalRow& row : kArrivals) {
    for (std::size_t start = 0; start < row.names.size();) {
      const std::size_t end = std::min(row.names.find(' ', start), row.names.size());
      const std::string_view name = row.names.substr(start, end - start);
      start = end + 1;
      CommandInfo& info = table.commands[table.slots[place(table, name, hash_name(name))].command];
      info.arrival = row.arrival;
      // What an interpreter is given is looked at.
      info.options = info.options || row.arrival == Arrival::kInterpreter;
    }
  }
}

constexpr Table make_table() {
  Table table;
  std::uint16_t used = 0;
  for (const Row& row : kRows) {
    for (std::size_t start = 0; start < row.names.size();) {
      const std::size_t end = std::min(row.names.find(' ', start), row.names.size());
      const std::string_view name = row.names.substr(start, end - start);
      start = end + 1;
      if (name.empty()) continue;
      const std::uint32_t hash = hash_name(name);
      Slot& slot = table.slots[place(table, name, hash)];
      if (slot.command != 0) continue;
      slot = {static_cast<std::uint16_t>(hash >> 16U), ++used};
      table.commands[used] = {row.capabilities,        row.handler,       row.builtin,
                              arrival_of(row.handler), has_options(name), used};
      std::copy(name.begin(), name.end(), table.names.begin() + table.starts[used]);
      table.starts[used + 1] = static_cast<std::uint16_t>(table.starts[used] + name.size());
    }
  }
  set_arrivals(table);
  return table;
}

constexpr Table kTable = make_table();

}  // namespace

const CommandInfo* find_command(std::string_view name) {
  return find_command(name, hash_name(name));
}

const CommandInfo* find_command(std::string_view name, std::uint32_t hash) {
  if (const std::uint16_t found = kTable.slots[place(kTable, name, hash)].command; found != 0) {
    return &kTable.commands[found];
  }
  // python3.11, gcc-12, mkfs.xfs: the name without its version.
  std::size_t end = name.size();
  while (end > 0 && (name[end - 1] == '.' || name[end - 1] == '-' ||
                     (name[end - 1] >= '0' && name[end - 1] <= '9'))) {
    --end;
  }
  if (name.starts_with("mkfs.") && name.size() > 5) return find_command("mkfs");
  return end > 0 && end < name.size() ? find_command(name.substr(0, end)) : nullptr;
}

std::string_view name_of(const CommandInfo& command) { return kTable.name(command.index); }

}  // namespace langsbx::languages::bash
