import type { InstanceFacts } from '../machines.ts';

/** GiB of memory per virtual CPU, by the letters a family begins with. */
const gibPerCpu: ReadonlyMap<string, number> = new Map(
  Object.entries({
    c: 2,
    d: 8,
    g: 4,
    h: 4,
    hpc: 4,
    i: 8,
    im: 4,
    inf: 2,
    is: 6,
    m: 4,
    p: 8,
    r: 8,
    trn: 8,
    u: 14,
    x: 16,
    z: 8,
  }),
);

/** Sizes below `xlarge`; above, there are four CPUs per `x`. */
const cpus: ReadonlyMap<string, number> = new Map(Object.entries({ medium: 1, large: 2, xlarge: 4 }));

/** Burstable machines do not follow the families. */
const burstable: ReadonlyMap<string, readonly [cpu: number, gib: number]> = new Map(
  Object.entries({
    nano: [2, 0.5],
    micro: [2, 1],
    small: [2, 2],
    medium: [2, 4],
    large: [2, 8],
    xlarge: [4, 16],
    '2xlarge': [8, 32],
  }),
);

/** Accelerators per machine, for the families that have some. */
const gpus: { readonly [family: string]: { readonly [size: string]: number } } = {
  g4dn: { default: 1, '12xlarge': 4, metal: 8 },
  g5: { default: 1, '12xlarge': 4, '24xlarge': 4, '48xlarge': 8 },
  g5g: { default: 1, '16xlarge': 2, metal: 2 },
  g6: { default: 1, '12xlarge': 4, '24xlarge': 4, '48xlarge': 8 },
  g6e: { default: 1, '12xlarge': 4, '24xlarge': 4, '48xlarge': 8 },
  p3: { '2xlarge': 1, '8xlarge': 4, '16xlarge': 8 },
  p4d: { '24xlarge': 8 },
  p4de: { '24xlarge': 8 },
  p5: { '48xlarge': 8 },
  p5e: { '48xlarge': 8 },
  p5en: { '48xlarge': 8 },
};

function cpusOf(size: string): number | undefined {
  const [, times] = /^(\d{1,3})xlarge$/.exec(size) ?? [];
  return times ? 4 * Number(times) : cpus.get(size);
}

/** `m5dn.2xlarge`: family with its generation and options, then the size. */
const named = /^(([a-z]{1,3})\d{1,2}[a-z-]{0,6})\.([a-z0-9]{1,12})$/;

/**
 * CPU and memory of an EC2 instance type, told from its name: families keep a ratio and sizes double. Undefined for
 * names that do not follow (bare metal, new families); nobody may conclude from it that there is no such type.
 */
export function awsInstanceFacts(instanceType: string): InstanceFacts | undefined {
  const [, letters = '', family = '', size = ''] = named.exec(instanceType) ?? [];
  if (family === 't') {
    const known = burstable.get(size);
    return known ? { vCPU: known[0], memoryMiB: known[1] * 1024, gpu: 0 } : undefined;
  }
  const vCPU = cpusOf(size);
  const ratio = gibPerCpu.get(family);
  if (vCPU === undefined || ratio === undefined) return undefined;
  const accelerators = gpus[letters];
  return { vCPU, memoryMiB: vCPU * ratio * 1024, gpu: accelerators?.[size] ?? accelerators?.['default'] ?? 0 };
}
