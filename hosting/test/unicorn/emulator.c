/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference PMU in a third-party emulator: Unicorn runs a program, one instruction at a time; libpmumodel answers
 * its CPUID, RDMSR, WRMSR and RDPMC and raises the PMI. Unicorn has no PMU, no local APIC and no external interrupts;
 * this file adds as much of the last two as a PMI needs. The model is used only through its header.
 *
 *     emulator PROGRAM [PROFILE [N]]     PROGRAM: 64-bit code for address 1000H, CPL 0, that ends with HLT
 *
 * Prints the eight quadwords at the program's end, its results, and the number of its instructions. With N, the PMU is
 * saved after every N instructions, mostly in mid-count, and goes on in a new instance, as after savevm and loadvm.
 * Built and run by hosting/test/check/unicorn.sh.
 */
#include <pmumodel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicorn/unicorn.h>

#define CODE 0x1000
#define MEMORY (64 * 1024) /* the stack starts at the end */
#define RESULTS 8
#define APIC 0xfee00000
#define APIC_LVT_PC 0x340
#define LVT_MASKED 0x10000
#define RFLAGS_TF 0x100
#define RFLAGS_IF 0x200
#define MOST 10000000 /* instructions: a program that takes more does not end */
#define GENERAL_PROTECTION 13

struct machine {
    uc_engine *uc;
    struct pmumodel *pmu;
    struct pmumodel_setup setup;
    struct pmumodel_host host;
    uint32_t lvtpc;
    int pending;   /* vector of a pending interrupt; -1: none */
    uint32_t size; /* of the instruction that Unicorn executes */
    uint64_t instructions;
};

static void stop(const char *what)
{
    fprintf(stderr, "emulator: %s\n", what);
    exit(1);
}

static void must(uc_err error)
{
    if (error != UC_ERR_OK)
        stop(uc_strerror(error));
}

static uint64_t get(struct machine *machine, int reg)
{
    uint64_t value = 0;
    must(uc_reg_read(machine->uc, reg, &value));
    return value;
}

static void set(struct machine *machine, int reg, uint64_t value)
{
    must(uc_reg_write(machine->uc, reg, &value));
}

/* ---- The functions that the model calls in its host */

static uint32_t lvtpc_read(void *context)
{
    return ((struct machine *)context)->lvtpc;
}

static void lvtpc_write(void *context, uint32_t value)
{
    ((struct machine *)context)->lvtpc = value;
}

static void interrupt(void *context, uint8_t vector)
{
    ((struct machine *)context)->pending = vector;
}

static void nmi(void *context)
{
    interrupt(context, 2);
}

/* One tick an instruction, so that nothing depends on the host's clock. */
static uint64_t ticks(void *context)
{
    return ((struct machine *)context)->instructions;
}

/* ---- The local APIC's page, with a single LVT entry */

static uint64_t apic_read(uc_engine *uc, uint64_t offset, unsigned size, void *context)
{
    (void)uc, (void)size;
    return offset == APIC_LVT_PC ? lvtpc_read(context) : 0;
}

static void apic_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *context)
{
    (void)uc, (void)size;
    if (offset == APIC_LVT_PC)
        lvtpc_write(context, (uint32_t)value);
}

/* ---- Interrupts and exceptions: 64-bit gates, CPL 0 to CPL 0. SDM 3A, "64-Bit Mode Stack Frame" */

static void push(struct machine *machine, uint64_t *rsp, uint64_t value)
{
    *rsp -= 8;
    must(uc_mem_write(machine->uc, *rsp, &value, 8));
}

static void deliver(struct machine *machine, unsigned vector, const uint64_t *error_code)
{
    static const int saved[] = {UC_X86_REG_SS, UC_X86_REG_RSP, UC_X86_REG_RFLAGS, UC_X86_REG_CS, UC_X86_REG_RIP};
    uc_x86_mmr idt;
    uint8_t gate[16];
    uint64_t rsp = get(machine, UC_X86_REG_RSP) & ~15ull, rip = get(machine, UC_X86_REG_RIP);
    must(uc_reg_read(machine->uc, UC_X86_REG_IDTR, &idt));
    if (16 * vector + 15 > idt.limit)
        stop("an interrupt or exception for which the program has no gate");
    must(uc_mem_read(machine->uc, idt.base + 16 * vector, gate, sizeof(gate)));
    for (size_t i = 0; i < sizeof(saved) / sizeof(saved[0]); i++)
        push(machine, &rsp, get(machine, saved[i]));
    if (error_code)
        push(machine, &rsp, *error_code);
    set(machine, UC_X86_REG_RSP, rsp);
    set(machine, UC_X86_REG_RFLAGS, get(machine, UC_X86_REG_RFLAGS) & ~(RFLAGS_IF | RFLAGS_TF));
    set(machine, UC_X86_REG_RIP, gate[0] | gate[1] << 8 | (uint64_t)gate[6] << 16 | (uint64_t)gate[7] << 24);
    if (pmumodel_stepping_at(machine->pmu, 0))
        pmumodel_delivered(machine->pmu, (uint8_t)vector, 0, rip);
}

static void deliver_pending(struct machine *machine)
{
    int vector = machine->pending;
    if (vector < 0 || (vector != 2 && !(get(machine, UC_X86_REG_RFLAGS) & RFLAGS_IF)))
        return;
    machine->pending = -1;
    if (vector != 2 && pmumodel_stepping_at(machine->pmu, 0))
        pmumodel_interrupted(machine->pmu, 0);
    deliver(machine, (unsigned)vector, NULL);
}

static void iret(struct machine *machine)
{
    uint64_t frame[5]; /* RIP, CS, RFLAGS, RSP, SS */
    must(uc_mem_read(machine->uc, get(machine, UC_X86_REG_RSP), frame, sizeof(frame)));
    set(machine, UC_X86_REG_RFLAGS, frame[2]);
    set(machine, UC_X86_REG_RSP, frame[3]);
    set(machine, UC_X86_REG_RIP, frame[0]);
}

/* ---- What kind of instruction it is, by its bytes. SDM 2, "Opcode Map" */

struct instruction {
    uint8_t byte[16];
    unsigned opcode; /* its index, after prefixes */
    bool repeated;
};

static void fetch(struct machine *machine, uint64_t rip, struct instruction *i)
{
    memset(i, 0, sizeof(*i));
    for (unsigned n = 0; n < 15 && uc_mem_read(machine->uc, rip + n, &i->byte[n], 1) == UC_ERR_OK; n++)
        ;
    for (uint8_t byte; (byte = i->byte[i->opcode]) && i->opcode < 14; i->opcode++) {
        i->repeated |= byte == 0xf2 || byte == 0xf3;
        if (!strchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", byte) && (byte & 0xf0) != 0x40)
            break;
    }
}

/* Is the opcode 0FH and this byte? */
static bool is_two(const struct instruction *i, uint8_t second)
{
    return i->byte[i->opcode] == 0x0f && i->byte[i->opcode + 1] == second;
}

static enum pmumodel_branch branch_of(const struct instruction *i)
{
    uint8_t first = i->byte[i->opcode], second = i->byte[i->opcode + 1];
    if ((first & 0xf0) == 0x70 || (first & 0xfc) == 0xe0 || (first == 0x0f && (second & 0xf0) == 0x80))
        return PMUMODEL_BRANCH_CONDITIONAL;
    if (first == 0xff && (second >> 3 & 7) == 2)
        return PMUMODEL_BRANCH_CALL_INDIRECT;
    if (first == 0xff && (second >> 3 & 7) == 4)
        return PMUMODEL_BRANCH_JUMP_INDIRECT;
    return first == 0xe8                    ? PMUMODEL_BRANCH_CALL
           : first == 0xe9 || first == 0xeb ? PMUMODEL_BRANCH_JUMP
           : (first & 0xfe) == 0xc2         ? PMUMODEL_BRANCH_RETURN
                                            : PMUMODEL_BRANCH_OTHER;
}

static bool is_string(const struct instruction *i)
{
    uint8_t first = i->byte[i->opcode];
    return i->repeated && ((first >= 0xa4 && first <= 0xa7) || (first >= 0xaa && first <= 0xaf));
}

/* ---- The instructions that the model answers */

/* ECX, and EDX:EAX. */
static uint32_t which(struct machine *machine)
{
    return (uint32_t)get(machine, UC_X86_REG_RCX);
}

static uint64_t pair(struct machine *machine)
{
    return get(machine, UC_X86_REG_RDX) << 32 | (uint32_t)get(machine, UC_X86_REG_RAX);
}

static bool answer(struct machine *machine, uint64_t value)
{
    set(machine, UC_X86_REG_RAX, (uint32_t)value);
    set(machine, UC_X86_REG_RDX, value >> 32);
    return true;
}

static bool rdmsr(struct machine *machine)
{
    uint64_t value;
    return pmumodel_rdmsr(machine->pmu, which(machine), &value) && answer(machine, value);
}

static bool rdpmc(struct machine *machine)
{
    uint64_t value;
    return pmumodel_rdpmc(machine->pmu, which(machine), 0, false, &value) && answer(machine, value);
}

static bool wrmsr(struct machine *machine)
{
    return pmumodel_wrmsr(machine->pmu, which(machine), pair(machine));
}

static bool cpuid(struct machine *machine)
{
    static const int out[] = {UC_X86_REG_RAX, UC_X86_REG_RBX, UC_X86_REG_RCX, UC_X86_REG_RDX};
    uint32_t native[4] = {0}, leaf[4];
    pmumodel_cpuid(machine->pmu, (uint32_t)get(machine, UC_X86_REG_RAX), which(machine), native, leaf);
    for (unsigned i = 0; i < 4; i++)
        set(machine, out[i], leaf[i]);
    return true;
}

static const struct answered {
    uint8_t second; /* byte of the opcode */
    enum pmumodel_retired_kind kind;
    bool (*execute)(struct machine *machine); /* false: #GP(0) */
} answered[] = {{0x30, PMUMODEL_RETIRED_WRMSR, wrmsr},
                {0x32, PMUMODEL_RETIRED_PLAIN, rdmsr},
                {0x33, PMUMODEL_RETIRED_PLAIN, rdpmc},
                {0xa2, PMUMODEL_RETIRED_CPUID, cpuid}};

/* ---- One instruction after another */

/* Called when Unicorn is about to execute an instruction. */
static void executes(uc_engine *uc, uint64_t address, uint32_t size, void *context)
{
    (void)uc, (void)address;
    ((struct machine *)context)->size = size;
}

/* Executes an instruction that the model answers, or IRET. Returns false for any other instruction. */
static bool execute_here(struct machine *machine, const struct instruction *i, uint64_t rip,
                         struct pmumodel_retired *retired)
{
    static const uint64_t no_error_code = 0;
    if (i->byte[i->opcode] == 0xcf) {
        retired->kind = PMUMODEL_RETIRED_IRET;
        iret(machine);
        return true;
    }
    for (size_t n = 0; n < sizeof(answered) / sizeof(answered[0]); n++) {
        if (!is_two(i, answered[n].second))
            continue;
        retired->kind = (uint8_t)answered[n].kind;
        if (answered[n].execute(machine))
            set(machine, UC_X86_REG_RIP, rip + i->opcode + 2);
        else
            deliver(machine, GENERAL_PROTECTION, &no_error_code);
        return true;
    }
    return false;
}

/* Returns false at HLT. */
static bool step(struct machine *machine)
{
    struct instruction i;
    deliver_pending(machine);
    uint64_t rip = get(machine, UC_X86_REG_RIP);
    struct pmumodel_retired retired = {.kind = PMUMODEL_RETIRED_PLAIN, .rip = rip};
    fetch(machine, rip, &i);
    if (i.byte[i.opcode] == 0xf4)
        return false;
    retired.branch = (uint8_t)branch_of(&i);
    if (retired.branch != PMUMODEL_BRANCH_OTHER)
        retired.kind = PMUMODEL_RETIRED_BRANCH;
    else if (is_string(&i))
        retired.kind = PMUMODEL_RETIRED_REP_STRING;
    if (!execute_here(machine, &i, rip, &retired))
        must(uc_emu_start(machine->uc, rip, 0, 0, 1));
    uint64_t next = get(machine, UC_X86_REG_RIP);
    if (retired.kind == PMUMODEL_RETIRED_REP_STRING && next == rip)
        return true; /* not the last iteration */
    retired.taken = retired.kind == PMUMODEL_RETIRED_BRANCH && next != rip + machine->size;
    machine->instructions++;
    if (pmumodel_stepping(machine->pmu))
        pmumodel_retire(machine->pmu, &retired);
    return true;
}

static void load(struct machine *machine, const char *path, uint64_t *size)
{
    static uint8_t bytes[MEMORY / 2];
    FILE *file = fopen(path, "rb");
    if (!file)
        stop("the program cannot be read");
    *size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    must(uc_mem_write(machine->uc, CODE, bytes, *size));
}

/* ---- The PMU, and its continuation in another instance */

static struct pmumodel *reset(struct machine *machine)
{
    struct pmumodel *pmu = aligned_alloc(16, PMUMODEL_SIZE_MOST);
    enum pmumodel_error error = pmu ? pmumodel_reset(pmu, &machine->setup, &machine->host) : PMUMODEL_NO_ROOM;
    if (error)
        stop(pmumodel_error_text(error));
    return pmu;
}

static void continue_elsewhere(struct machine *machine)
{
    static uint8_t bytes[PMUMODEL_SIZE_MOST];
    size_t size;
    enum pmumodel_error error = pmumodel_save(machine->pmu, bytes, sizeof(bytes), &size);
    memset(machine->pmu, 0xa5, pmumodel_size());
    free(machine->pmu);
    machine->pmu = reset(machine);
    error = error ? error : pmumodel_load(machine->pmu, bytes, size);
    if (error)
        stop(pmumodel_error_text(error));
}

static void run(struct machine *machine, uint64_t every)
{
    while (step(machine)) {
        if (machine->instructions > MOST)
            stop("the program does not end");
        if (every && machine->instructions % every == 0)
            continue_elsewhere(machine);
    }
}

int main(int argc, char **argv)
{
    uc_hook hook;
    struct machine machine = {.lvtpc = LVT_MASKED, .pending = -1};
    uint64_t size, results[RESULTS];
    machine.host = (struct pmumodel_host){.size = sizeof(machine.host),
                                          .context = &machine,
                                          .lvtpc_read = lvtpc_read,
                                          .lvtpc_write = lvtpc_write,
                                          .interrupt = interrupt,
                                          .nmi = nmi,
                                          .time = ticks};
    machine.setup = (struct pmumodel_setup){
        .size = sizeof(machine.setup), .profile = pmumodel_profile(argc > 2 ? argv[2] : "skylake"), .cpus = 1};
    if (argc < 2 || !machine.setup.profile)
        stop("usage: emulator PROGRAM [PROFILE [N]]");
    machine.pmu = reset(&machine);
    must(uc_open(UC_ARCH_X86, UC_MODE_64, &machine.uc));
    must(uc_mem_map(machine.uc, 0, MEMORY, UC_PROT_ALL));
    must(uc_mmio_map(machine.uc, APIC, 4096, apic_read, &machine, apic_write, &machine));
    must(uc_hook_add(machine.uc, &hook, UC_HOOK_CODE, (void *)executes, &machine, 1, 0));
    load(&machine, argv[1], &size);
    set(&machine, UC_X86_REG_RIP, CODE);
    set(&machine, UC_X86_REG_RSP, MEMORY);
    run(&machine, argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
    must(uc_mem_read(machine.uc, CODE + size - sizeof(results), results, sizeof(results)));
    for (unsigned i = 0; i < RESULTS; i++)
        printf("%016llx\n", (unsigned long long)results[i]);
    printf("%llu instructions\n", (unsigned long long)machine.instructions);
    uc_close(machine.uc);
    free(machine.pmu);
    return 0;
}
