export * from './revocation-request.ts';
export * from './signing-request-approval.ts';
