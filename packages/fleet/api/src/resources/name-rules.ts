import { invalid } from '../errors/index.ts';
import type { Entity } from '../registry/index.ts';

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
/** What the column keeps. */
const columnLimit = 100;

/**
 * Refuses a name the kind does not allow. Kinds that limit the length have names that become parts of host names and
 * must be one DNS label; other kinds may use dots, as releases do (`4.16.0`).
 */
export function checkName(entity: Entity, name: string): void {
  const { name_min_len: min = 0, name_max_len: max = 0 } = entity;
  const refuse = (constraint: 'required' | 'min_length' | 'max_length' | 'pattern', message: string) => {
    throw invalid(message, [{ field: 'name', ...(name === '' ? {} : { value: name }), constraint, message }]);
  };
  if (name === '') refuse('required', 'name is required');
  if (name.length < min) refuse('min_length', `name must be at least ${min} characters`);
  const limit = max === 0 ? columnLimit : max;
  if (name.length > limit) refuse('max_length', `name must be at most ${limit} characters`);
  if (!(max === 0 ? subdomain : label).test(name)) {
    refuse(
      'pattern',
      `name must start and end with lowercase letter or number, and contain only lowercase letters, numbers, and hyphens${max === 0 ? ', in parts separated by dots' : ''}`,
    );
  }
}
