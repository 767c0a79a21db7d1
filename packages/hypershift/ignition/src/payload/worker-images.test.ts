import { EmbeddedCatalogue, embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { describe, expect, it } from 'vitest';
import { aPayloadInputs } from '../testing/payload-inputs.ts';
import { renderPayload } from './render.ts';
import { workerImagesFrom } from './worker-images.ts';

describe('workerImagesFrom', () => {
  const catalogue = new EmbeddedCatalogue();
  const imagesOf = workerImagesFrom(catalogue);

  it('When each embedded release is asked for, it should have all that a worker needs', async () => {
    for (const version of catalogue.versions) {
      const images = await imagesOf(embeddedReleaseImage(version), 'rhel-9');
      expect(renderPayload(aPayloadInputs({ images })).json).toContain('"version":"3.2.0"');
    }
  });

  it('When the stream is RHEL 10, it should take that operating system where the release has it', async () => {
    const newest = embeddedReleaseImage(catalogue.newest('5.0') ?? catalogue.newest() ?? '');
    const [nine, ten] = [await imagesOf(newest, 'rhel-9'), await imagesOf(newest, 'rhel-10')];
    expect(ten.osImage).toContain('rhel-coreos-10');
    expect(nine.osImage).not.toContain('rhel-coreos-10');
  });
});
