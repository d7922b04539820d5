#include "csv.h"

#include <stdbool.h>

size_t csv_split(char *line, char **fields, size_t most)
{
    size_t count = 0;
    char *read = line, *write = line, end;

    do {
        bool quoted = *read == '"';
        if (count < most)
            fields[count] = write;
        count++;
        for (read += quoted; *read != '\0'; read++) {
            if (quoted && *read == '"' && *++read != '"')
                quoted = false;
            if (!quoted && (*read == ',' || *read == '\n' || *read == '\r' || *read == '\0'))
                break;
            *write++ = *read;
        }
        end = *read++;
        *write++ = '\0'; /* never passes `read`: a field is not shorter than its text */
    } while (end == ',');
    return count;
}

void csv_cut(char *line, size_t count)
{
    bool quoted = false;

    for (; *line != '\0' && *line != '\n'; line++) {
        quoted ^= *line == '"'; /* a doubled quote changes it twice */
        if (*line == ',' && !quoted && --count == 0)
            break;
    }
    *line = '\0';
}
