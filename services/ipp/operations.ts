/** Operations by keyword (RFC 8011, section 5.4.15; RFC 3380, 3996, 3998; operations of CUPS from x'4001'). */
export const OPERATIONS = {
  'Print-Job': 0x0002,
  'Validate-Job': 0x0004,
  'Create-Job': 0x0005,
  'Send-Document': 0x0006,
  'Cancel-Job': 0x0008,
  'Get-Job-Attributes': 0x0009,
  'Get-Jobs': 0x000a,
  'Get-Printer-Attributes': 0x000b,
  'Hold-Job': 0x000c,
  'Release-Job': 0x000d,
  'Restart-Job': 0x000e,
  'Pause-Printer': 0x0010,
  'Resume-Printer': 0x0011,
  'Purge-Jobs': 0x0012,
  'Set-Job-Attributes': 0x0014,
  'Cancel-My-Jobs': 0x0039,
  'Close-Job': 0x003b,
  'Identify-Printer': 0x003c,
  'CUPS-Get-Default': 0x4001,
  'CUPS-Get-Printers': 0x4002,
  'CUPS-Get-PPD': 0x400f,
} as const

export type IppOperation = keyof typeof OPERATIONS

/** Whether the operation is read-only and can be repeated. */
export const isReadOnly = (operation: IppOperation) => /^(CUPS-)?Get-/.test(operation)
