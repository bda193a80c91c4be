# What each host test and fuzz target links, which stands in its first comment after "links:", as lines for make.
#
# usage: awk -f tools/links.awk tests/host/*/test_*.c tests/fuzz/fuzz_*.c

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
    kind = source ~ /^tests\/fuzz\// ? "fuzz" : "host"
    name = source
    sub(/.*\//, "", name)
    sub(/\.c$/, "", name)
    gsub(/[ \t]+/, " ", words)
    printf "$(eval $(call links,$(BUILD)/%s/%s,%s,%s%s))\n", kind, name, kind, source, words
    words = ""
}
