/** Fields that do not come back and are not refused either, by platform and side, each with the reason. */
export const losses: {
  readonly [platform: string]: {
    readonly providerSpec?: { readonly [path: string]: string };
    readonly infraSpec?: { readonly [path: string]: string };
  };
} = {
  AWS: {
    providerSpec: {
      'ami.arn': 'does not count beside an id',
      'ami.filters[].name': 'does not count beside an id',
      'ami.filters[].values[]': 'does not count beside an id',
      'blockDevices[].ebs.deleteOnTermination': 'true is what Cluster API does anyway, false is refused',
    },
    infraSpec: {
      'ignition.storageType': 'OpenShift decides how user data travels',
      'ignition.version': 'OpenShift decides how user data travels',
      instanceID: 'stands in the status of the Machine API',
      'rootVolume.deviceName': 'the provider takes it from the image',
    },
  },
  Azure: {
    infraSpec: { failureDomain: 'comes back in the Machine, which is where Cluster API wants it' },
  },
  GCP: {
    providerSpec: { restartPolicy: 'Always is what Cluster API does anyway, Never is refused' },
  },
  OpenStack: {
    providerSpec: {
      floatingIP: 'the Machine API gave it up',
      'metadata{}': 'nothing reads it',
      primarySubnet: 'ignored by the Machine API',
      sshUserName: 'ignored by the Machine API',
      'networks[].filter.adminStateUp': 'ignored by the Machine API',
      'networks[].filter.id': 'comes back as uuid',
      'networks[].filter.limit': 'ignored by the Machine API',
      'networks[].filter.marker': 'ignored by the Machine API',
      'networks[].filter.shared': 'ignored by the Machine API',
      'networks[].filter.sortDir': 'ignored by the Machine API',
      'networks[].filter.sortKey': 'ignored by the Machine API',
      'networks[].filter.status': 'ignored by the Machine API',
      'networks[].filter.tenantId': 'comes back as projectId',
      'networks[].noAllowedAddressPairs': 'Cluster API adds no pairs by itself',
      'networks[].subnets[].filter.enableDhcp': 'ignored by the Machine API',
      'networks[].subnets[].filter.id': 'comes back as uuid',
      'networks[].subnets[].filter.limit': 'ignored by the Machine API',
      'networks[].subnets[].filter.marker': 'ignored by the Machine API',
      'networks[].subnets[].filter.sortDir': 'ignored by the Machine API',
      'networks[].subnets[].filter.sortKey': 'ignored by the Machine API',
      'networks[].subnets[].filter.subnetpoolId': 'ignored by the Machine API',
      'networks[].subnets[].filter.tenantId': 'comes back as projectId',
      'networks[].subnets[].portSecurity': 'ignored by the Machine API',
      'networks[].subnets[].portTags[]': 'come back with the tags of the network: they are of the same port',
      'ports[].projectID': 'ignored by the Machine API',
      'ports[].tenantID': 'ignored by the Machine API',
      'securityGroups[].filter.id': 'comes back as uuid',
      'securityGroups[].filter.limit': 'ignored by the Machine API',
      'securityGroups[].filter.marker': 'ignored by the Machine API',
      'securityGroups[].filter.sortDir': 'ignored by the Machine API',
      'securityGroups[].filter.sortKey': 'ignored by the Machine API',
      'securityGroups[].filter.tenantId': 'comes back as projectId',
      'securityGroups[].name': 'comes back in the filter',
    },
  },
  PowerVS: {
    providerSpec: { 'credentialsSecret.name': 'Cluster API takes the credentials of its manager' },
    infraSpec: { serviceInstanceID: 'deprecated, comes back as serviceInstance.id' },
  },
};

/** The same on every platform. */
export const commonLosses = {
  providerSpec: { apiVersion: 'written anew: old groups have new names' },
  infraSpec: { providerID: 'stands in the Machine, too, and comes back from there' },
} as const;
