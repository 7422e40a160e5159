// Where supervisors ask.

export const healthPath = '/healthz';
export const readinessPath = '/readyz';
