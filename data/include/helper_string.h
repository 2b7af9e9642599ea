// Names of the header of that name in NVIDIA's samples: a program that is started without options.
#pragma once
#pragma clang system_header
#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, length, from) strcpy(to, from)
#define SPRINTF sprintf
#define SSCANF sscanf
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) (result == NULL)
#endif
inline bool checkCmdLineFlag(int, const char**, const char*) { return false; }
inline int getCmdLineArgumentInt(int, const char**, const char*) { return 0; }
inline float getCmdLineArgumentFloat(int, const char**, const char*) { return 0; }
inline bool getCmdLineArgumentString(int, const char**, const char*, char**) { return false; }
template <class T> bool getCmdLineArgumentValue(int, const char**, const char*, T*) { return false; }
char* sdkFindFilePath(const char* file, const char* program);
int stringRemoveDelimiter(char delimiter, const char* text);
int getFileExtension(char* file, char** ending);
