//! What a run cost, and the table of medians.

/// What one run cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// From the start to the last Schema's status.
    pub seconds: f64,
    /// Requests to the registry, by its access log, for each Schema.
    pub registry_calls: f64,
    /// Writes to the API server, by its audit log, for each Schema.
    pub api_writes: f64,
    /// The most memory that the process held.
    pub peak_mib: f64,
    /// Processor time of the process.
    pub cpu_seconds: f64,
}

type Figure = (&'static str, fn(&Cost) -> f64);

const FIGURES: [Figure; 5] = [
    ("seconds to all Ready", |cost| cost.seconds),
    ("registry calls a Schema", |cost| cost.registry_calls),
    ("API writes a Schema", |cost| cost.api_writes),
    ("peak memory, MiB", |cost| cost.peak_mib),
    ("processor seconds", |cost| cost.cpu_seconds),
];

/// Prints medians side by side, and the ratio of the seconds, run by run.
pub fn print_table(operator: &[Cost], yardstick: &[Cost]) {
    println!("\n{:<26}{:>12}{:>12}", "median", "operator", "yardstick");
    for (name, figure) in FIGURES {
        let of = |costs: &[Cost]| median(costs.iter().map(figure).collect());
        println!("{name:<26}{:>12.2}{:>12.2}", of(operator), of(yardstick));
    }
    let ratios = operator.iter().zip(yardstick).map(|(ours, theirs)| ours.seconds / theirs.seconds).collect();
    println!("{:<26}{:>12.2}", "ratio of seconds", median(ratios));
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
