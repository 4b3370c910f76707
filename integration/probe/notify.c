// Sends READY=1 to NOTIFY_SOCKET, as a service with sd_notify does, and stays alive.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void) {
  const char* path = getenv("NOTIFY_SOCKET");
  if (path == NULL) {
    fputs("no NOTIFY_SOCKET\n", stderr);
    return 1;
  }
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
  const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  const char text[] = "STATUS=up\nREADY=1";
  if (sendto(fd, text, sizeof(text) - 1, 0, (struct sockaddr*)&address, sizeof(address)) < 0) {
    perror("sendto");
    return 1;
  }
  sleep(5);
  return 0;
}
