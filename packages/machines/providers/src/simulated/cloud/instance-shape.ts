/** The size of a machine. */
export interface InstanceShape {
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly architecture?: 'amd64' | 'arm64' | 'ppc64le' | 's390x';
}

/** The shape a type's name stands for; undefined when that cloud has no such type. */
export type ShapeOf = (instanceType: string) => InstanceShape | undefined;

const shape = (cpu: number, gibPerCpu: number, architecture?: InstanceShape['architecture']): InstanceShape => ({
  cpu,
  memoryMiB: Math.round(cpu * gibPerCpu * 1024),
  ...(architecture ? { architecture } : {}),
});

/** GiB of memory for each CPU, by family. */
function memoryTable(text: string): ReadonlyMap<string, number> {
  return new Map(
    text
      .split(' ')
      .map((entry) => entry.split('='))
      .map(([family = '', gib]) => [family, Number(gib)]),
  );
}

const ec2Memory = memoryTable(
  'a=2 c=2 d=7.625 f=15.25 g=4 hpc=4 i=7.625 inf=2 m=4 mac=2.66 p=7.625 r=8 t=4 trn=16 u=27 vt=2 x=16 z=8',
);
const ec2Small: Readonly<Record<string, readonly [cpu: number, memoryMiB: number]>> = {
  nano: [2, 512],
  micro: [2, 1024],
  small: [2, 2048],
  medium: [2, 4096],
};

/** EC2: `m6i.xlarge`, `c7g.2xlarge`, `t3.medium`. */
export const ec2Shape: ShapeOf = (name) => {
  const [, letters = '', features = '', size = ''] = /^([a-z]+)\d+([a-z-]*)\.([a-z0-9-]+)$/.exec(name) ?? [];
  const memory = ec2Memory.get(letters);
  if (memory === undefined) return undefined;
  // Graviton processors: a g first among the features, or the a1 family.
  const architecture = features.startsWith('g') || letters === 'a' ? 'arm64' : 'amd64';
  const small = ec2Small[size];
  if (small && letters === 't') return { cpu: small[0], memoryMiB: small[1], architecture };
  if (small) return size === 'medium' ? shape(1, memory, architecture) : undefined;
  if (size === 'large') return shape(2, memory, architecture);
  if (/^metal(-\d+xl)?$/.test(size)) return shape(96, memory, architecture);
  const [, times] = /^(\d*)xlarge$/.exec(size) ?? [];
  return times === undefined ? undefined : shape(4 * Number(times || 1), memory, architecture);
};

const azureMemory = memoryTable(
  'A=2 B=4 D=4 DC=4 DS=3.5 E=8 EC=8 F=2 FX=21 G=14 GS=14 H=7 HB=4 HC=8 L=8 LS=8 M=28 NC=7 ND=7 NG=7 NP=16 NV=7',
);

/** Azure: `Standard_D4s_v5`, `Standard_E8ds_v5`, `Standard_D2ps_v5` (Arm). */
export const azureShape: ShapeOf = (name) => {
  const [, family = '', cpus = '', features = ''] =
    /^(?:Standard|Basic)_([A-Z]+)(\d+)(?:-\d+)?([a-z]*)(?:_[A-Za-z0-9]+)*$/.exec(name) ?? [];
  const memory = azureMemory.get(family);
  const cpu = Number(cpus);
  if (memory === undefined || cpu < 1 || cpu > 416) return undefined;
  return shape(cpu, memory, features.includes('p') ? 'arm64' : 'amd64');
};

const gceMemory: Readonly<Record<string, number>> = {
  standard: 4,
  highmem: 8,
  highcpu: 2,
  ultramem: 24,
  megamem: 14.9,
};
const gceFamilies = /^(a2|a3|c2|c2d|c3|c3d|c4|c4a|c4d|e2|g2|h3|m1|m2|m3|n1|n2|n2d|n4|t2a|t2d|z3)$/;
const gceShared: Readonly<Record<string, readonly [number, number]>> = {
  'e2-micro': [2, 1024],
  'e2-small': [2, 2048],
  'e2-medium': [2, 4096],
  'f1-micro': [1, 614],
  'g1-small': [1, 1740],
};

/** GCE: `n2-standard-4`, `c4a-highmem-8`, `e2-medium`, `n2-custom-4-8192`. */
export const gceShape: ShapeOf = (name) => {
  const shared = gceShared[name];
  if (shared) return { cpu: shared[0], memoryMiB: shared[1], architecture: 'amd64' };
  const [, family = '', kind = '', cpus = '', memory] = /^([a-z]\d[a-z]?)-([a-z]+)-(\d+)(?:-(\d+))?$/.exec(name) ?? [];
  const cpu = Number(cpus);
  if (!gceFamilies.test(family) || cpu < 1 || cpu > 416) return undefined;
  const architecture = family === 't2a' || family === 'c4a' ? 'arm64' : 'amd64';
  if (kind === 'custom') return memory ? { cpu, memoryMiB: Number(memory), architecture } : undefined;
  const perCpu = gceMemory[kind];
  return perCpu === undefined || memory ? undefined : shape(cpu, perCpu, architecture);
};

const flavors: Readonly<Record<string, readonly [number, number]>> = {
  'm1.tiny': [1, 512],
  'm1.small': [1, 2048],
  'm1.medium': [2, 4096],
  'm1.large': [4, 8192],
  'm1.xlarge': [8, 16_384],
};

/** OpenStack: the flavors every installation begins with; others are made by its administrators. */
export const novaShape: ShapeOf = (name) => {
  const flavor = flavors[name];
  return flavor && { cpu: flavor[0], memoryMiB: flavor[1], architecture: 'amd64' };
};

/** IBM Cloud VPC: `bx2-4x16` is four CPUs and 16 GiB. */
export const ibmVpcShape: ShapeOf = (name) => {
  const [, family = '', cpus = '', gib = ''] = /^([a-z]+\d+[a-z]*)-(\d+)x(\d+)(?:x\d+)*$/.exec(name) ?? [];
  if (family === '') return undefined;
  return shape(Number(cpus), Number(gib) / Number(cpus), family.startsWith('bz') ? 's390x' : 'amd64');
};
