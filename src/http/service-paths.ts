// Paths for supervisors.

export const HEALTH_PATH = '/healthz';
export const READINESS_PATH = '/readyz';
