/** Carries the installation's secret (`PLATEN_RPC_SECRET`) on each call between its parts. */
export const SECRET_HEADER = 'platen-rpc-secret'
