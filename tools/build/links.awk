# What each host test, fuzz target and host program links, which stands in its first comment after "links:", as lines
# for make. A folder, with its last slash, stands for all .c files of it.
#
# usage: awk -f tools/build/links.awk ROOM/test_NAME.c... ROOM/fuzz/fuzz_NAME.c... ROOM/PROGRAM.c...

FNR == 1 {
    flush()
    on = done = 0
    source = FILENAME
}
done { next }
/links:/ { on = 1; sub(/.*links:/, "") }
on {
    line = $0
    sub(/\*\/.*/, "", line)
    sub(/^ \*/, "", line)
    words = words " " line
}
/\*\// { done = 1 }
END { flush() }

function flush(    name, kind) {
    if (source == "")
        return
    kind = source ~ /\/fuzz\// ? "fuzz" : source ~ /\/test_/ ? "host" : "tools"
    name = source
    sub(/.*\//, "", name)
    sub(/\.c$/, "", name)
    gsub(/[ \t]+/, " ", words)
    printf "$(eval $(call links,$(BUILD)/%s/%s,%s,%s%s))\n", kind, name, kind, source, words
    words = ""
}
