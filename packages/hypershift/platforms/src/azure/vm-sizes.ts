import type { InstanceFacts } from '../machines.ts';

/** GiB of memory per virtual CPU of the series whose names tell the number of CPUs. */
const gibPerCpu: ReadonlyMap<string, number> = new Map(
  Object.entries({
    B: 4,
    D: 4,
    DC: 4,
    E: 8,
    EC: 8,
    F: 2,
    FX: 21,
    L: 8,
    M: 28,
    NC: 14,
    ND: 19,
    NV: 14,
  }),
);

/** CPUs per accelerator of the series that have some. */
const cpusPerGpu: ReadonlyMap<string, number> = new Map(Object.entries({ NC: 6, ND: 12, NV: 6 }));

/** `Standard_D4s_v5`: series, CPUs (constrained ones after a dash), options, version. */
const named = /^(?:Standard_|Basic_)?([A-Z]{1,2})(\d{1,3})(?:-(\d{1,3}))?[a-z]{0,6}(?:_[A-Z0-9]+)*(?:_v\d+)?$/;

/**
 * CPU and memory of an Azure size, told from its name. Undefined for series whose names do not tell; nobody may
 * conclude from it that there is no such size.
 */
export function azureInstanceFacts(vmSize: string): InstanceFacts | undefined {
  const [, series = '', size, constrained] = named.exec(vmSize) ?? [];
  const ratio = gibPerCpu.get(series);
  if (!size || ratio === undefined) return undefined;
  const nominal = Number(size);
  if (nominal === 0) return undefined;
  const perGpu = cpusPerGpu.get(series);
  return {
    // A constrained size has the memory of the full one.
    vCPU: Number(constrained ?? size),
    memoryMiB: nominal * ratio * 1024,
    gpu: perGpu ? Math.max(1, Math.round(nominal / perGpu)) : 0,
  };
}
