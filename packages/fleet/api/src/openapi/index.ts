/** What this server offers, for machines and for people. */
export { openapiDocument } from './document.ts';
export { openapiPage } from './page.ts';
