export * from './aws-endpoint-service.ts';
export * from './azure-private-link-service.ts';
export * from './gcp-private-service-connect.ts';
