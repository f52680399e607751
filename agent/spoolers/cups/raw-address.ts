import { findPrinterFaults } from '../network/config.ts'

/**
 * The address of a raw queue as the URI of a network printer.
 *
 * @param deviceUri of the queue: "socket://192.168.0.9:9100/?waiteof=false&contimeout=60".
 * @returns "socket://192.168.0.9:9100?waiteof=false"; undefined for a device without a port for raw data.
 */
export function toRawAddress(deviceUri: string): string | undefined {
  const url = URL.parse(deviceUri)
  if (url?.protocol !== 'socket:') return undefined
  const waits = !/^(false|no|off)$/i.test(url.searchParams.get('waiteof') ?? '')
  const uri = `socket://${url.host}${waits ? '' : '?waiteof=false'}`
  return findPrinterFaults({ name: 'Queue', uri }).length === 0 ? uri : undefined
}
