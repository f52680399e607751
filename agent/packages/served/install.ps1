<#
.SYNOPSIS
Downloads the Platen agent, verifies its checksum, installs it and enrols this computer. Run as administrator:

  & ([scriptblock]::Create((irm https://print.example.com/agents/install.ps1))) -Server https://print.example.com

Asks for the enrolment token, unless PLATEN_ENROLL_TOKEN has it. With -Key, the public key of the publisher of the packages, the program
minisign verifies their signature. -Insecure permits a server without TLS, in a network that you trust. -AllowNetworkPrinters is
--allow-network-printers of `platen-agent enroll`. NOT VERIFIED on Windows yet: see docs/agent-packages.md.
#>
param([Parameter(Mandatory)][string]$Server, [string]$Key, [switch]$Insecure, [switch]$AllowNetworkPrinters)
$ErrorActionPreference = 'Stop'
# The progress bar of Windows PowerShell makes a download many times slower.
$ProgressPreference = 'SilentlyContinue'
$address = [uri]$Server
if ($address.Scheme -ne 'https' -and -not $address.IsLoopback -and -not $Insecure) {
  throw "$Server has no TLS, so others could replace the agent on the network. Use the https:// address of the service, or add -Insecure in a network that you trust."
}
if ($Key -and -not (Get-Command minisign -ErrorAction SilentlyContinue)) { throw '-Key needs the program minisign. Install it and run this again.' }
$agents = "$($Server.TrimEnd('/'))/agents"

$dir = Join-Path ([IO.Path]::GetTempPath()) ([guid]::NewGuid())
New-Item -ItemType Directory $dir | Out-Null
try {
  $list = Join-Path $dir 'SHA256SUMS'
  Invoke-WebRequest -UseBasicParsing "$agents/SHA256SUMS" -OutFile $list
  if ($Key) {
    Invoke-WebRequest -UseBasicParsing "$agents/SHA256SUMS.minisig" -OutFile "$list.minisig"
    & minisign -Vqm $list -P $Key
    if ($LASTEXITCODE -ne 0) { throw "The packages at $Server are not signed with this key. Nothing was installed." }
  }
  $line = [IO.File]::ReadAllText($list) -split "`n" | Where-Object { $_ -match '^[0-9a-f]{64}  [^/]*-windows-x64\.zip$' } | Select-Object -First 1
  if (-not $line) { throw "$Server offers no package for Windows." }
  $sum, $name = $line -split '  '
  $zip = Join-Path $dir $name
  Write-Host "Downloading $name ..."
  Invoke-WebRequest -UseBasicParsing "$agents/$name" -OutFile $zip
  if ((Get-FileHash -Algorithm SHA256 -LiteralPath $zip).Hash -ne $sum) { throw "$name is damaged: its checksum is not that of SHA256SUMS. Run this again." }
  Expand-Archive -LiteralPath $zip -DestinationPath (Join-Path $dir 'package')
  $options = @(if ($Insecure) { '-Insecure' }; if ($AllowNetworkPrinters) { '-AllowNetworkPrinters' })
  # The policy of most computers refuses scripts of files.
  & powershell.exe -NoProfile -ExecutionPolicy Bypass -File (Join-Path $dir 'package\install.ps1') -Server $Server @options
  if ($LASTEXITCODE -ne 0) { throw 'The agent was not installed. The messages above name the cause.' }
} finally {
  Remove-Item -Recurse -Force $dir
}
