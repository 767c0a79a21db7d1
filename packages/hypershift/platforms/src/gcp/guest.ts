import { guestSide } from '../guest.ts';
import { settingsOf } from '../shared/settings.ts';
import { externalAccount } from './credentials.ts';

export const gcpGuest = guestSide({
  platformStatus: ({ spec }) => {
    const { project, region, resourceLabels = [] } = settingsOf(spec.platform, 'gcp');
    // Labels of this prefix belong to the cloud provider.
    const labels = resourceLabels.filter(({ key }) => !key.startsWith('kubernetes-io'));
    return {
      gcp: {
        projectID: project,
        region,
        ...(labels.length > 0 ? { resourceLabels: labels.map(({ key, value }) => ({ key, value: value ?? '' })) } : {}),
      },
    };
  },
  isPrivate: ({ spec }) => settingsOf(spec.platform, 'gcp').endpointAccess !== undefined,
  credentials: ({ hcp }) => {
    const identity = settingsOf(hcp.spec.platform, 'gcp').workloadIdentity;
    const email = identity?.serviceAccountsEmails?.imageRegistry;
    if (!identity || !email) return [];
    return [
      {
        namespace: 'openshift-image-registry',
        name: 'installer-cloud-credentials',
        data: { 'service_account.json': externalAccount(identity, email) },
        capability: 'ImageRegistry',
      },
    ];
  },
  csiDrivers: ['pd.csi.storage.gke.io'],
});
