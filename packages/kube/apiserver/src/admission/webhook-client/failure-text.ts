interface NodeFailure extends Error {
  readonly code?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);

/** Why a connection failed, in the words people search for: those of kube-apiserver. */
export function failureText(error: unknown, at: { host: string; port: number; serverName: string }): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', message, cert } = error as NodeFailure;
  const address = `${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${address}: connect: connection refused`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${at.host}: no such host`;
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'EOF';
  if (untrusted.has(code)) return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  if (code === 'CERT_HAS_EXPIRED')
    return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = (cert?.subjectaltname ?? '').replace(/(DNS|IP Address):/g, '');
    return `tls: failed to verify certificate: x509: certificate is valid for ${names}, not ${at.serverName}`;
  }
  return message;
}
