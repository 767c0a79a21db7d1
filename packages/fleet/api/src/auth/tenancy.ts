import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../errors/index.ts';

/** `server.tenant`: which trusted headers say whose resources a caller may see. */
export interface TenantConfig {
  readonly enabled: boolean;
  readonly system_header: string;
  readonly dimensions: readonly { readonly header: string; readonly key: string; readonly required?: boolean }[];
}

interface Tenant {
  readonly system: boolean;
  /** Undefined: everything, because tenancy is off or the caller is the platform itself. */
  readonly tenancy?: Readonly<Record<string, string>>;
}

const maxValue = 63;
const valueForm = /^[A-Za-z0-9._-]+$/;
const keyForm = /^[a-z][a-z0-9_-]{0,62}$/;

export function tenantProblems({ enabled, system_header, dimensions }: TenantConfig): string[] {
  if (!enabled) return [];
  const problems: string[] = [];
  if (system_header === '')
    problems.push('server.tenant.system_header is required while server.tenant.enabled is true');
  if (!dimensions.some((dimension) => dimension.required))
    problems.push('server.tenant.dimensions must have at least one entry with required: true');
  for (const [index, { header, key }] of dimensions.entries()) {
    if (header === '') problems.push(`server.tenant.dimensions[${index}].header is required`);
    if (!keyForm.test(key)) problems.push(`server.tenant.dimensions[${index}].key must be a lowercase name`);
  }
  return problems;
}

/** The tenant a request speaks for. Missing identity is refused, never read as "everything". */
export function tenantOf({ enabled, system_header, dimensions }: TenantConfig, headers: IncomingHttpHeaders): Tenant {
  if (!enabled) return { system: false };
  if (headerText(headers, system_header).toLowerCase() === 'true') return { system: true };
  const tenancy: Record<string, string> = {};
  for (const { header, key, required } of dimensions) {
    const value = headerText(headers, header);
    if (value === '') {
      if (required) throw new ApiError('AUZ-001', `required tenant header "${header}" is missing`);
      continue;
    }
    if (value.length > maxValue || !valueForm.test(value))
      throw new ApiError('AUZ-001', `tenant header "${header}" has an invalid value`);
    tenancy[key] = value;
  }
  if (Object.keys(tenancy).length === 0) throw new ApiError('AUZ-001', 'caller resolved no tenant dimensions');
  return { system: false, tenancy };
}

function headerText(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value.trim() : '';
}
