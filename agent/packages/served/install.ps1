<#
.SYNOPSIS
Downloads the Platen agent, verifies its checksum, installs it and enrols this computer. Run as administrator:

  & ([scriptblock]::Create((irm https://print.example.com/agents/install.ps1))) -Server https://print.example.com

-AllowNetworkPrinters is --allow-network-printers of `platen-agent enroll`. Asks for the enrolment token, unless PLATEN_ENROLL_TOKEN has it. NOT VERIFIED on Windows yet: see docs/agent-packages.md.
#>
param([Parameter(Mandatory)][string]$Server, [switch]$AllowNetworkPrinters)
$ErrorActionPreference = 'Stop'
# The progress bar of Windows PowerShell makes a download many times slower.
$ProgressPreference = 'SilentlyContinue'
$agents = "$($Server.TrimEnd('/'))/agents"

$sums = (Invoke-WebRequest -UseBasicParsing "$agents/SHA256SUMS").Content
if ($sums -isnot [string]) { $sums = [Text.Encoding]::UTF8.GetString($sums) }
$line = $sums -split "`n" | Where-Object { $_ -match '^[0-9a-f]{64}  platen-agent-[^/]*-windows-x64\.zip$' } | Select-Object -First 1
if (-not $line) { throw "$Server offers no package for Windows." }
$sum, $name = $line -split '  '

$dir = Join-Path ([IO.Path]::GetTempPath()) ([guid]::NewGuid())
New-Item -ItemType Directory $dir | Out-Null
try {
  $zip = Join-Path $dir $name
  Write-Host "Downloading $name ..."
  Invoke-WebRequest -UseBasicParsing "$agents/$name" -OutFile $zip
  if ((Get-FileHash -Algorithm SHA256 -LiteralPath $zip).Hash -ne $sum) { throw "$name is damaged: its checksum is not that of SHA256SUMS. Run this again." }
  Expand-Archive -LiteralPath $zip -DestinationPath (Join-Path $dir 'package')
  $options = @(if ($AllowNetworkPrinters) { '-AllowNetworkPrinters' })
  # The policy of most computers refuses scripts of files.
  & powershell.exe -NoProfile -ExecutionPolicy Bypass -File (Join-Path $dir 'package\install.ps1') -Server $Server @options
  if ($LASTEXITCODE -ne 0) { throw 'The agent was not installed. The messages above name the cause.' }
} finally {
  Remove-Item -Recurse -Force $dir
}
