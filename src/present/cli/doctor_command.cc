// airlock doctor: which walls this host can raise, each tried by an attack from inside.
#include "engine/doctor/doctor.h"
#include "engine/doctor/installation.h"
#include "engine/policy/policy_file.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/doctor_output.h"

namespace airlock::cli {

Result<int> doctor_command(std::span<const std::string> arguments, const Environment& environment) {
  Format format = Format::kText;
  CommandLine line("airlock doctor",
                   "Raise every wall that this host offers, and try to breach each from inside.",
                   "airlock doctor --format json");
  declare_format(line.options(), format, "How to print the report: text or json");
  if (const auto code = line.parse(arguments)) return *code;
  const auto policy = TRY(load_policy("extractor"));
  const Diagnosis diagnosis = examine_host(environment.host_program, policy);
  const std::string report = format == Format::kJson
                                 ? diagnosis_as_json(diagnosis)
                                 : diagnosis_as_text(diagnosis, environment.colour);
  if (!write_report(report)) return kBadRequest;
  // A low ulimit makes attacks end otherwise than they should; the walls are not to blame.
  if (const auto low = limits_trouble(""); low && diagnosis.trouble.empty())
    complain("This keeps attacks from being tried, or changes how they end.\n" + *low);
  return diagnosis.is_acceptable ? kAccepted : kNoIsolation;
}

}  // namespace airlock::cli
