import { kubernetesVersion } from '@hypershift-ts/kube-apimachinery';
import { documentOf } from '../discovery/index.ts';

/** An answer to `GET /openapi/v2`; binary in its protobuf form. */
export interface OpenApiV2Document {
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly etag: string;
}

const jsonDocument = documentOf(
  `${JSON.stringify({
    swagger: '2.0',
    info: { title: 'Kubernetes', version: kubernetesVersion.gitVersion },
    paths: {},
    definitions: {},
  })}\n`,
);

/**
 * An empty gnostic Document: swagger "2.0", an info, no paths. kubectl 1.27 and 1.28 refuse to work without a v2
 * document in this encoding but then take everything from v3.
 */
const protobufDocument: OpenApiV2Document = Object.freeze({
  contentType: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  body: Buffer.from('0a03322e3012070a0178120276314200', 'hex'),
  etag: jsonDocument.etag.replace(/^"/, '"PB'),
});

/** The minimal v2 document in the encoding that the Accept header asks for. */
export function openApiV2(accept: string | undefined): OpenApiV2Document {
  return accept?.includes('application/com.github.proto-openapi.spec.v2') ? protobufDocument : jsonDocument;
}
