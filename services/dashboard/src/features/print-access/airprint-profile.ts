import { newId } from '../../ui/new-id.ts'
import { type PrinterAddress, splitAddress } from './systems.ts'

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * @returns a profile that adds the printer to iOS, iPadOS, macOS and visionOS.
 *   Reference: https://developer.apple.com/documentation/devicemanagement/airprint
 */
export function createAirPrintProfile(address: PrinterAddress, name: string): string {
  const { isSecure, hostname, port, path } = splitAddress(address)
  const [profile, payload] = [newId(), newId()]
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadVersion</key><integer>1</integer>
  <key>PayloadIdentifier</key><string>platen.${profile}</string>
  <key>PayloadUUID</key><string>${profile}</string>
  <key>PayloadDisplayName</key><string>${escapeXml(name)}</string>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadType</key><string>com.apple.airprint</string>
      <key>PayloadVersion</key><integer>1</integer>
      <key>PayloadIdentifier</key><string>platen.${profile}.airprint</string>
      <key>PayloadUUID</key><string>${payload}</string>
      <key>PayloadDisplayName</key><string>${escapeXml(name)}</string>
      <key>AirPrint</key>
      <array>
        <dict>
          <key>IPAddress</key><string>${escapeXml(hostname)}</string>
          <key>ResourcePath</key><string>${escapeXml(path)}</string>
          <key>Port</key><integer>${port}</integer>
          <key>ForceTLS</key><${isSecure}/>
        </dict>
      </array>
    </dict>
  </array>
</dict>
</plist>
`
}
