import type { InstanceFacts } from '../machines.ts';

/** GiB of memory per virtual CPU, by the class in the name. */
const gibPerCpu: ReadonlyMap<string, number> = new Map(
  Object.entries({
    standard: 4,
    highmem: 8,
    highcpu: 1,
    megamem: 14,
    ultramem: 24,
    highgpu: 7,
    megagpu: 14,
  }),
);

/** Machines that share a CPU. */
const shared: ReadonlyMap<string, InstanceFacts> = new Map(
  Object.entries({
    'e2-micro': { vCPU: 2, memoryMiB: 1024, gpu: 0 },
    'e2-small': { vCPU: 2, memoryMiB: 2048, gpu: 0 },
    'e2-medium': { vCPU: 2, memoryMiB: 4096, gpu: 0 },
  }),
);

/** `n2-standard-8`, `n2-custom-4-8192`, `a2-highgpu-1g`. */
const predefined = /^[a-z]\d[a-z]?-([a-z]+)-(\d{1,3})(g?)$/;
const custom = /^(?:[a-z]\d[a-z]?-)?custom-(\d{1,3})-(\d{3,7})(?:-ext)?$/;

/** CPU and memory of a Compute Engine machine type, told from its name; undefined when the name does not tell. */
export function gcpInstanceFacts(machineType: string): InstanceFacts | undefined {
  const known = shared.get(machineType);
  if (known) return known;
  const [, cpus, memory] = custom.exec(machineType) ?? [];
  if (cpus && memory) return { vCPU: Number(cpus), memoryMiB: Number(memory), gpu: 0 };
  const [, kind = '', amount, isGpu] = predefined.exec(machineType) ?? [];
  const ratio = gibPerCpu.get(kind);
  if (!amount || ratio === undefined) return undefined;
  // Accelerator machines are named by their accelerators, of which each comes with twelve CPUs.
  const vCPU = isGpu ? Number(amount) * 12 : Number(amount);
  return { vCPU, memoryMiB: vCPU * ratio * 1024, gpu: isGpu ? Number(amount) : 0 };
}
