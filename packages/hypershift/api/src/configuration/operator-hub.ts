/** Catalogs that OperatorHub offers. */
import { boolean, list, object, string } from '../schema/index.ts';

export const operatorHubSource = object({
  name: string({ minLength: 1, maxLength: 253 }).optional(),
  disabled: boolean().optional(),
});

export const operatorHubConfiguration = object({
  disableAllDefaultSources: boolean().optional(),
  sources: list(operatorHubSource).optional(),
});
