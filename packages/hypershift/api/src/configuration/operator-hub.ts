/** Catalogs that OperatorHub offers. */
import { boolean, list, object, string } from '../schema/index.ts';

export const operatorHubSource = object({
  name: string({ minLength: 1, maxLength: 253 })
    .optional()
    .describe('Name of a default catalog, for example `community-operators`.'),
  disabled: boolean().optional().describe('Whether the catalog is taken away.'),
});

export const operatorHubConfiguration = object({
  disableAllDefaultSources: boolean()
    .optional()
    .describe('Takes all default catalogs away, except those enabled again one by one.'),
  sources: list(operatorHubSource)
    .optional()
    .describe('Single catalogs to switch on or off; wins over the switch for all.'),
}).describe('Default catalogs that OperatorHub offers.');
